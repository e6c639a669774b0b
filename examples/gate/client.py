"""Ask the turn gate before a tool runs: a client of `memstile gate run`. Options go to it: client.py --mode enforce"""

import json
import subprocess
import sys

WRITE = {"tool": "mcp__basic-memory__write_note", "arguments": {"title": "Kettle", "content": "It boils."}}
SEARCH = {"tool": "mcp__basic-memory__search_notes", "arguments": {"query": "kettle"}}
CLASSIFY = {"tool": "mcp__memstile__classify", "arguments": {"task": "complex"}}
command = ["memstile", "gate", "run", *sys.argv[1:]]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1) as gate:
    print(json.dumps({"event": "turn_start", "session": "py"}), file=gate.stdin)  # a person's prompt: a new turn
    for number, call in enumerate((WRITE, CLASSIFY, WRITE, SEARCH, WRITE)):
        print(json.dumps({"event": "tool_call", "session": "py", "call": number, **call}), file=gate.stdin)
        answer = json.loads(gate.stdout.readline() or '{"error": "the gate is gone"}')
        print(answer.get("action", "deny"), answer.get("reason_code", answer.get("error")))
        if answer.get("action") == "allow":  # here the tool would run; anything else refuses it
            result = {"event": "tool_result", "session": "py", "call": number, "is_error": False}
            print(json.dumps(result), file=gate.stdin)
    print(json.dumps({"event": "session_end", "session": "py"}), file=gate.stdin)
