"""Pointers of an index: the links from its lines to notes."""

from __future__ import annotations


def targets(line: str) -> list[str]:
    """List the link targets of one line: `[text](target)` and `[[target]]`, in order.

    line: text of one line. Result: targets as written, without title and anchor; percent escapes are left alone.
    Total, and linear in the line: anything that is no link is passed over.
    """
    return [target for target, _ in _links(line)]


def _links(line: str) -> list[tuple[str, bool]]:
    """List the link targets of one line, each with whether it is that of a wikilink."""
    found = []
    at = 0
    last_wiki, last_angle = line.rfind("]]"), line.rfind(">")  # else each "[[" would look for its end to the line's end
    while (at := _next(line, at)) >= 0:
        is_wiki = line.startswith("[[", at) and at + 2 <= last_wiki
        target, at = _wikilink(line, at) if is_wiki else _link(line, at, last_angle)
        if target:
            found.append((target, is_wiki))
    return found


def _next(line: str, at: int) -> int:
    """Find the next bracket; after a link inside a link's text, as of a linked image, the outer one ends at once."""
    return at if line.startswith(")](", at) else line.find("[", at)


def _wikilink(line: str, at: int) -> tuple[str, int]:
    end = line.find("]]", at + 2)
    return line[at + 2 : end].split("|")[0].split("#")[0].strip(), end + 2


def _link(line: str, at: int, last_angle: int) -> tuple[str, int]:
    close = line.find("](", at)
    if close < 0:
        return "", len(line)
    start = close + 2
    while line.startswith((" ", "\t"), start):
        start += 1
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

    data: the index, any bytes. A wikilink counts as the note of that name. Names are decoded as those of the disk.
    """
    names = set()
    for line in _text(data).split("\n"):
        for target in targets(line) if "[" in line else ():
            name = _sibling(_unquoted(target.partition("?")[0]))
            if name:
                names.add(name if name.lower().endswith(".md") else f"{name}.md")
    return names


def notes_named(data: bytes) -> set[str]:
    """Collect the file names ending in .md that an index writes anywhere, in whatever kind of link or in none.

    data: the index, any bytes. Names with blanks are not found, and those of the documents that each project has and
    any text may name do not count.
    """
    words = _text(data).translate(_AROUND_NAMES).split()
    names = {_sibling(_unquoted(word.rstrip(".!"))) for word in words if ".md" in word.lower()}
    return {name for name in names if name.lower().endswith(".md") and not is_document(name)}


def notes_further_down(data: bytes) -> list[str]:
    """List the notes in folders below its own that an index writes, in whatever kind of link: "notes/a.md", in order.

    data: the index, any bytes. Documents do not count, nor what hosts keep in folders of these names, which has the
    frontmatter of a note and is none.
    """
    text = _text(data)
    linked = (target for line in text.split("\n") if "[" in line for target in _linked(line))
    words = (word.rstrip(".!") for word in text.translate(_AROUND_NAMES).split() if "/" in word)
    every = (_inside(_unquoted(name)) for names in (linked, words) for name in names)
    return [name for name in dict.fromkeys(every) if "/" in name and _is_note(name)]


def files_pointed_at(data: bytes) -> set[str]:
    """Collect the files of its folder and below that an index links to, of whatever kind: "notes/a.md", "map.png"."""
    lines = (line for line in _text(data).split("\n") if "[" in line)
    names = (name.partition("?")[0] for line in lines for name in (*targets(line), *_linked(line)))
    return {_inside(_unquoted(name)) for name in names} - {""}


def _linked(line: str) -> list[str]:
    """List the link targets of one line without query; a wikilink is that of a note, with or without its ending."""
    pairs = ((target.partition("?")[0], is_wiki) for target, is_wiki in _links(line))
    return [f"{name}.md" if is_wiki and not name.lower().endswith(".md") else name for name, is_wiki in pairs]


def lists_notes(data: bytes) -> bool:
    """Tell whether more than half of what an index says are entries that point to notes in its folder or below.

    data: the index, any bytes. An entry is one of a list, or a row of a table. Headings, comments and what is indented
    say nothing, but for entries that point. A page that is about memory, with a link or two, is no such list.
    """
    rows, entries = _rows_and_entries(data)
    return 2 * entries > rows


def entries_for_notes(data: bytes) -> int:
    """Count the entries of an index, and the lines that begin with a link, that point to notes, as lists_notes does."""
    return _rows_and_entries(data, is_link_enough=True)[1]


def _rows_and_entries(data: bytes, *, is_link_enough: bool = False) -> tuple[int, int]:
    rows = entries = 0
    above = ""
    for line in _text(data).split("\n"):
        row = line.strip()
        if row.startswith(("|-", "|:", "| -", "| :")) and not row.strip("|-: "):
            rows -= above.startswith("|")  # that was the head of a table
        above = row
        is_entry = _is_entry(row) or (is_link_enough and row.startswith("["))
        points = is_entry and any(map(_is_note, _places_in(row)))
        entries += points
        rows += points or bool(row and not line.startswith(_SAYS_NOTHING) and row.strip("|-: "))
    return rows, entries


def _is_entry(row: str) -> bool:
    head, _, rest = row.partition(" ")
    is_numbered = head[-1:] in (".", ")") and len(head) < 6 and head[:-1].isdecimal()
    return row.startswith("|") or (bool(rest) and (head in _BULLETS or is_numbered))


def _places_in(row: str) -> list[str]:
    """List the paths in its folder or below that a row links to, or names between backquotes."""
    names = [*_linked(row), *row.split("`")[1::2]]
    return [_inside(_unquoted(name)) for name in names]


def is_document(name: str) -> bool:
    """Tell whether a file name is one of a document that projects have anywhere: beside an index it is no note of it.

    Of some names only the capitals tell: a note may well be called architecture.md.
    """
    stem = name[:-3]
    return stem.lower() in _DOCUMENTS or stem in _IN_CAPITALS


def _is_note(path: str) -> bool:
    *folders, name = path.split("/")
    return name.lower().endswith(".md") and not is_document(name) and NO_NOTES.isdisjoint(folders)


_AROUND_NAMES = {ord(sign): " " for sign in "()<>[]{}\"'`|,;:*?#="}
_SAYS_NOTHING = ("#", "<!--", " ", "\t", "---", "\r")
_BULLETS = frozenset("-*+\u2022\u2023\u25e6")
NO_NOTES = frozenset(("agents", "commands", "skills"))
_DOCUMENTS = frozenset(
    (
        *("readme", "changelog", "contributing", "security", "code_of_conduct", "license"),
        *("claude", "claude.local", "agents", "gemini", "skill", "copilot-instructions"),
    )
)
_IN_CAPITALS = frozenset(
    (
        *("ARCHITECTURE", "AUTHORS", "COPYING", "DESIGN", "GOVERNANCE", "HISTORY", "INSTALL", "MAINTAINERS"),
        *("NEWS", "NOTICE", "ROADMAP", "SUPPORT", "TODO"),
    )
)
_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def _text(data: bytes) -> str:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")  # without NUL: UTF-16 that has no mark


def _sibling(target: str) -> str:
    """Give the name of a file beside the index, "" for one elsewhere."""
    name = _inside(target)
    return "" if "/" in name else name


def _inside(target: str) -> str:
    """Give the path of a file in the folder of the index or below it, "" for one elsewhere."""
    name = target
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    parts = name.split("/") if "/" in name else [name]
    is_elsewhere = len(parts) > 1 and (not parts[0] or ".." in parts or parts[0].endswith(":"))
    return "" if is_elsewhere else "/".join(part for part in parts if part not in ("", "."))


def _unquoted(target: str) -> str:
    """Undo percent escapes; a "%" that begins none stays."""
    if "%" not in target:
        return target
    first, *parts = target.encode("utf-8", "surrogateescape").split(b"%")
    return b"".join([first, *map(_byte_and_rest, parts)]).decode("utf-8", "surrogateescape")


def _byte_and_rest(part: bytes) -> bytes:
    digits = part[:2]
    is_escape = len(digits) == 2 and all(digit in b"0123456789abcdefABCDEF" for digit in digits)
    return bytes([int(digits, 16)]) + part[2:] if is_escape else b"%" + part
