"""The skill: what a model is told about the vault, in a form that hosts load when a task is about memory."""

from __future__ import annotations

SKILL = """\
---
name: memstile
description: Rules for writing to a memory vault (a folder of notes with a MEMORY.md index) or a memory server. Use \
before creating, editing or compacting memory notes or MEMORY.md, and when such a write was refused.
---

# Writing to a memory vault

A vault is a folder of small markdown notes and one index, `MEMORY.md`, which is loaded at every session. A guard
called memstile judges writes to it.

## The index

- One line a note: `- [Title](note.md) - what it is about`. The content goes into the note, never into the index.
- Hard cap: 200 lines and 25,600 bytes. Above 150 lines or 20,480 bytes, compact before you add.
- Over the hard cap only a write that shrinks the index passes. Growing by one line is refused.
- Read it before you change it. Look for a note on the topic before you make another.

## When a write was refused

- The reason names the numbers, and the longest lines: those are the cheapest cuts.
- Merge entries about one topic into one line, and shorten lines to one clause.
- Where an edit cannot be judged, write the whole file with fewer lines and bytes than it has now.
- Do not go around the guard with a shell command: it looks again afterwards, and git and CI do too.
- If nothing can be cut without losing knowledge, say so to the person, and ask.

## Declaring a turn

Where the turn gate enforces, a memory write is refused until its turn is declared: a note of a memory server, such as
basic-memory, or of the vault. Reads always pass. A turn lasts from one prompt of the person to the next.

- Declared by the tool `classify` of the MCP server `memstile`, with `{"task": "simple"}` or `{"task": "complex"}`; or,
  in a shell tool, by `memstile classify simple` or `memstile classify complex`, with nothing else in the command.
- simple: memory writes pass. complex: they pass after a memory search that came back in this turn; an empty result
  counts, a search in the same batch as the write does not.
- The last declaration counts. A subagent has a turn of its own.
- A refusal begins with a code, such as CLASSIFICATION_REQUIRED, and says what satisfies it.

## Git

- A vault inside a project stays out of git. Never `git add -f` a file of it, and leave its ignore rule in place.
- `memstile check` shows the state; `memstile fix` mends what git would carry.

## Not yours to change

memstile's settings, its state folder and the hook settings of this host. A person changes these.
"""
