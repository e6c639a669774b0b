// Ask the turn gate before a tool runs: a client of `memstile gate run`. Options go to it: client.mjs --mode enforce
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const WRITE = { tool: "mcp__basic-memory__write_note", arguments: { title: "Kettle", content: "It boils." } };
const SEARCH = { tool: "mcp__basic-memory__search_notes", arguments: { query: "kettle" } };
const CLASSIFY = { tool: "mcp__memstile__classify", arguments: { task: "complex" } };
const command = ["gate", "run", ...process.argv.slice(2)];
const gate = spawn("memstile", command, { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: gate.stdout })[Symbol.asyncIterator]();
const tell = (event) => gate.stdin.write(JSON.stringify({ session: "js", ...event }) + "\n");

tell({ event: "turn_start" }); // a person's prompt: a new turn
for (const [call, asked] of [WRITE, CLASSIFY, WRITE, SEARCH, WRITE].entries()) {
  tell({ event: "tool_call", call, ...asked });
  const { value } = await answers.next();
  const answer = JSON.parse(value ?? '{"error": "the gate is gone"}');
  console.log(answer.action ?? "deny", answer.reason_code ?? answer.error);
  if (answer.action === "allow") tell({ event: "tool_result", call, is_error: false }); // here the tool would run
}
tell({ event: "session_end" });
gate.stdin.end();
