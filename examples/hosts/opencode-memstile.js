// memstile for opencode: asks `memstile-hook opencode` about each tool call before it runs, and refuses what it refuses.
//
// opencode has no command hooks, so this plugin is one. It fails closed: where the program is missing, ends with an
// error, is too slow, or answers with something else than JSON, a call that may write files does not run. Reading and
// shells go on: a shell is how a broken installation is mended. `memstile init opencode` fills in the next line.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"

const COMMAND = ["memstile-hook", "opencode"]

const TIMEOUT_MS = 30_000
const MOST_ANSWER = 1024 * 1024
// Calls of these are not asked about before they run: they write no file.
const READS = new Set([
  "read", "grep", "glob", "list", "ls", "webfetch", "websearch", "codesearch", "lsp", "skill", "question",
  "todoread", "todowrite", "invalid",
])
// Calls of these are asked about, and run even where nobody answers.
const SHELLS = new Set(["bash", "task"])

// Tools of opencode's own have no "_" in their names, but for these. What others give begins with words that count.
const OWN = new Set(["apply_patch"])
const MOST_OPENING = 200

/** Whether a tool that only reads has looked at a note, or searched where notes may lie: the turn gate counts that. */
function looks(tool, args) {
  const path = String(args?.filePath ?? args?.path ?? "")
  return (tool === "read" && path.toLowerCase().endsWith(".md")) || ((tool === "grep" || tool === "glob") && path !== "")
}

/** How the text of an MCP tool's result begins: some servers tell a failure in no other way. */
function opening(tool, output) {
  if (!tool.includes("_") || OWN.has(tool)) return undefined
  const text = typeof output.output === "string" ? output.output : output.content?.find?.((row) => row.text)?.text
  return typeof text === "string" ? [{ type: "text", text: text.slice(0, MOST_OPENING) }] : undefined
}

class NoAnswer extends Error {}

/** Run the program with a payload on its input. Gives its answer, an object; rejects with NoAnswer. */
function ask(payload, cwd) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new NoAnswer(why))
    let child
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { cwd, stdio: ["pipe", "pipe", "ignore"] })
    } catch (error) {
      return fail(`it could not be started (${error.code ?? error.name})`)
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      fail("it gave no answer in time")
    }, TIMEOUT_MS)
    const parts = []
    let size = 0
    child.on("error", (error) => {
      clearTimeout(timer)
      fail(`it could not be started (${error.code ?? error.name})`)
    })
    child.stdout.on("data", (part) => {
      size += part.length
      if (size <= MOST_ANSWER) parts.push(part)
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) return fail(`it ended with exit code ${code}`)
      try {
        const answer = size ? JSON.parse(Buffer.concat(parts).toString("utf8")) : {}
        if (answer === null || typeof answer !== "object" || Array.isArray(answer)) throw new TypeError()
        resolve(answer)
      } catch {
        fail("its answer is no JSON object")
      }
    })
    child.stdin.on("error", () => {}) // it may end before it has read all; then its exit code counts
    child.stdin.end(JSON.stringify(payload))
  })
}

export const Memstile = async ({ directory }) => {
  const turns = new Map() // session: id of the message that began its turn

  const asked = (hook, input, output) =>
    ask({ hook, cwd: directory, turn: turns.get(input.sessionID) ?? "", input, output }, directory)

  /** Ask where nothing can be refused any more: no answer is no text. */
  const told = async (hook, input, output) => {
    try {
      const { context } = await asked(hook, input, output)
      return typeof context === "string" ? context : ""
    } catch {
      return ""
    }
  }

  return {
    "chat.message": async (input, output) => {
      const isNew = !turns.has(input.sessionID)
      turns.set(input.sessionID, output.message?.id ?? "")
      const sent = { message: { id: output.message?.id } } // what the person wrote is not passed on
      const texts = isNew ? [await told("session.start", input, sent)] : []
      texts.push(await told("chat.message", input, sent))
      const text = texts.filter(Boolean).join("\n\n")
      if (!text) return
      const before = output.parts.at(-1)?.id ?? "prt_"
      output.parts.push({
        id: before.slice(0, 16) + "zz" + randomUUID().replaceAll("-", "").slice(0, 12),
        sessionID: input.sessionID,
        messageID: output.message?.id,
        type: "text",
        text,
        synthetic: true,
      })
    },

    "tool.execute.before": async (input, output) => {
      if (READS.has(input.tool)) return
      let answer
      try {
        answer = await asked("before", input, { args: output.args })
      } catch (error) {
        if (SHELLS.has(input.tool)) return
        const why = error instanceof NoAnswer ? error.message : error.name
        throw new Error(
          `memstile was asked about this call and did not answer: ${why}. So the call did not run; reading and the ` +
            "shell work. `memstile doctor` finds out why, `memstile init opencode` mends it.",
        )
      }
      if (answer.deny !== undefined) throw new Error(String(answer.deny))
    },

    "tool.execute.after": async (input, output) => {
      if (READS.has(input.tool) && !looks(input.tool, input.args)) return
      const result = {
        metadata: { exit: output.metadata?.exit },
        isError: output.isError,
        content: opening(input.tool, output), // of the tools of opencode's own nothing of what they printed
      }
      const text = await told("after", input, result)
      if (!text) return
      if (typeof output.output === "string") output.output += `\n\n${text}`
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
    },
  }
}
