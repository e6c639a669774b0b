"""Build vaults of any size for the benchmarks: an index within its cap, notes of a few hundred bytes, some folders."""

from __future__ import annotations

import os
import random

NOTES_PER_FOLDER = 500
_WORDS = ("cache", "deploy", "index", "latency", "migration", "owner", "queue", "retry", "schema", "token")


def build_vault(folder: str, notes: int, seed: int = 7) -> None:
    """Write a vault: MEMORY.md with pointers to the first notes, and `notes` notes, 500 a folder, 200 to 1,200 bytes.

    folder: made if it is not there. The same seed gives the same bytes.
    """
    chance = random.Random(seed)
    os.makedirs(folder, exist_ok=True)
    for number in range(notes):
        place = folder if number < NOTES_PER_FOLDER else os.path.join(folder, f"topic-{number // NOTES_PER_FOLDER:04d}")
        if number % NOTES_PER_FOLDER == 0:
            os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, f"note-{number:06d}.md"), "w", encoding="utf-8") as file:
            file.write(_note(number, chance))
    rows = ["# Memory index", *(f"- [Note {n}](note-{n:06d}.md) - hook {n}" for n in range(min(notes, 120)))]
    with open(os.path.join(folder, "MEMORY.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(rows) + "\n")


def _note(number: int, chance: random.Random) -> str:
    body = " ".join(chance.choices(_WORDS, k=chance.randint(20, 150)))
    return f"---\nname: note-{number:06d}\ndescription: about {body[:30]}\nmetadata:\n  type: project\n---\n\n{body}\n"
