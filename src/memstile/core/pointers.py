"""Pointers of an index: the links from its lines to notes."""

from __future__ import annotations


def targets(line: str) -> list[str]:
    """List the link targets of one line: `[text](target)` and `[[target]]`, in order.

    line: text of one line. Result: targets as written, without title and anchor; percent escapes are left alone.
    Total, and linear in the line: anything that is no link is passed over.
    """
    found = []
    at = 0
    last_wiki, last_angle = line.rfind("]]"), line.rfind(">")  # else each "[[" would look for its end to the line's end
    while (at := line.find("[", at)) >= 0:
        is_wiki = line.startswith("[[", at) and at + 2 <= last_wiki
        target, at = _wikilink(line, at) if is_wiki else _link(line, at, last_angle)
        if target:
            found.append(target)
    return found


def _wikilink(line: str, at: int) -> tuple[str, int]:
    end = line.find("]]", at + 2)
    return line[at + 2 : end].split("|")[0].split("#")[0].strip(), end + 2


def _link(line: str, at: int, last_angle: int) -> tuple[str, int]:
    close = line.find("](", at)
    if close < 0:
        return "", len(line)
    start = close + 2
    if line.startswith("<", start):
        end = line.find(">", start) if start < last_angle else start
        return line[start + 1 : end].split("#")[0], end + 1
    end, depth = start, 0
    while end < len(line) and (depth or line[end] != ")") and not line[end].isspace():
        depth += (line[end] == "(") - (line[end] == ")")
        end += 1
    return line[start:end].split("#")[0], end


def label(line: str, number: int) -> str:
    """Name an index line without quoting it: the slug of its first pointer, else "line N".

    line: text of the line; number: 1-based. Result: at most 80 characters, not escaped.
    """
    first = next(iter(targets(line)), "")
    slug = first.rstrip("/").rpartition("/")[2]
    return slug[:80] if slug else f"line {number}"


def notes_pointed_at(data: bytes) -> set[str]:
    """Collect the sibling notes an index points to: file names ending in .md, without folder.

    data: the index, any bytes. A wikilink counts as the note of that name.
    """
    names = set()
    for line in data.decode("utf-8", "replace").split("\n"):
        for target in targets(line) if "[" in line else ():
            name = target.removeprefix("./")
            if "/" not in name and name:
                names.add(name if name.lower().endswith(".md") else f"{name}.md")
    return names
