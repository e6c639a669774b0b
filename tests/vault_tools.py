"""Vaults for tests: indexes of an exact size, and notes that they point to."""

from __future__ import annotations

from pathlib import Path

NOTES = 5


def index(lines: int = 6, size: int | None = None, *, fill: str = "x", end: str = "\n", notes: int = NOTES) -> bytes:
    """Make an index of exactly `lines` lines and, if asked, `size` bytes, whose first lines point to the notes.

    fill: what the lines are stretched with; where its bytes do not add up, the last line gets dots.
    end: of every line, the last one too.
    """
    pointers = [f"- [Note {number}](note-{number}.md)" for number in range(1, notes + 1)]
    rows = ["# Index", *pointers, *(f"> line {number}" for number in range(notes + 2, lines + 1))][:lines]
    if size is not None:
        rows = _stretched(rows, size - sum(len(row) + len(end) for row in rows), fill)
    data = "".join(row + end for row in rows).encode()
    assert (data.count(b"\n"), len(data)) == (lines, size or len(data))
    return data


def _stretched(rows: list[str], need: int, fill: str) -> list[str]:
    assert need >= 0, "the lines alone are larger"
    each, rest = divmod(need // len(fill.encode()), len(rows))
    longer = [row + fill * (each + (number < rest)) for number, row in enumerate(rows)]
    longer[-1] += "." * (need % len(fill.encode()))
    return longer


def note(name: str) -> bytes:
    """Make a note as hosts write them."""
    return f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\nBody.\n".encode()


def vault(folder: Path, data: bytes | None = None, *, notes: int = NOTES) -> Path:
    """Write a vault: an index (of six lines, if no content is given) and the notes it points to."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "MEMORY.md").write_bytes(index(notes=notes) if data is None else data)
    for number in range(1, notes + 1):
        (folder / f"note-{number}.md").write_bytes(note(f"note-{number}"))
    return folder
