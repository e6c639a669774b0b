"""Reports and rules that the tests of the formats share."""

from __future__ import annotations

from collections.abc import Iterator

from memstile.core.caps import Caps
from memstile.core.facts import Facts
from memstile.core.finding import Finding, Severity
from memstile.core.rules.rule import Rule, Told
from memstile.report.model import Gauge, Report, VaultSummary


def _nothing(_facts: Facts) -> Iterator[Told]:
    yield from ()


def rule(code: str, name: str, severity: Severity, group: str, summary: str) -> Rule:
    """Make a row that checks nothing; its page is two paragraphs."""
    return Rule(code, name, severity, group, summary, _nothing, f"Report that {summary}.\n\nMend {{it}}.\n")


ROWS = (
    rule("MS102", "index-over-cap", Severity.ERROR, "index", "the index is over its hard cap"),
    rule("MS104", "index-past-host-window", Severity.WARNING, "index", "a host does not load the whole index"),
    rule("MS202", "vault-tracked", Severity.ERROR, "git", "files of the vault are in the git index"),
    rule("MS209", "vault-in-history", Severity.INFO, "git", "old commits carry the vault"),
    rule("MS901", "setting-not-usable", Severity.ERROR, "", "a setting was not used"),
)

CAPS = Caps()

RICH = Report(
    findings=(
        Finding(
            "MS102",
            Severity.ERROR,
            ".agent-memory/MEMORY.md",
            "index is 210 lines, hard cap 200",
            "cut 10 lines; longest: line 12 (412 bytes), line 40 (388 bytes), line 7 (301 bytes)",
        ),
        Finding(
            "MS104",
            Severity.WARNING,
            ".agent-memory/MEMORY.md",
            "claude-code does not load 12 entries of the index: note-201.md, note-202.md and 10 more",
            "claude-code loads 200 lines and 25,000 UTF-16 units of the text; shorten or move entries",
            line=199,
        ),
        Finding(
            "MS202",
            Severity.ERROR,
            ".agent-memory",
            "12 files of the vault are in the git index",
            "take them out of the git index; they stay on disk",
            (
                "git --literal-pathspecs rm -r -q -f --cached -- .agent-memory",
                "printf '\\n%s\\n' /.agent-memory/ >> .gitignore",
            ),
            tuple(f".agent-memory/note-{number:03}.md" for number in range(1, 13)),
        ),
        Finding(
            "MS901",
            Severity.ERROR,
            "memstile.toml",
            'unknown key "hard_line"',
            "did you mean hard_lines?",
            line=4,
        ),
        Finding(
            "MS209",
            Severity.INFO,
            "docs/memory",
            "commit 1a2b3c4 carries the vault",
            commands=("git log -- docs/memory",),
        ),
    ),
    vaults=(
        VaultSummary(
            ".agent-memory",
            "ignored",
            "",
            (
                Gauge(
                    ".agent-memory/MEMORY.md",
                    "on disk",
                    210,
                    14_662,
                    CAPS,
                    tuple(f"note-{number}.md" for number in range(201, 213)),
                    "claude-code",
                ),
                Gauge(".agent-memory/MEMORY.md", "staged", None, None, CAPS),
            ),
            212,
        ),
        VaultSummary("docs/memory", "shared", "", (Gauge("docs/memory/MEMORY.md", "on disk", 40, 20_500, CAPS),), 1),
        VaultSummary("notes", "ignored", "not in this checkout; git index checked", (), None),
    ),
    remarks=("settings: memstile.toml",),
    is_strict=False,
)

CLEAN = Report(
    findings=(),
    vaults=(
        VaultSummary(".agent-memory", "ignored", "", (Gauge(".agent-memory/MEMORY.md", "on disk", 3, 120, CAPS),), 212),
    ),
)

EMPTY = Report(findings=(), vaults=(), remarks=("no vault found below .",))


def named(name: str) -> Report:
    """Make a report in which every text that may come from the outside is `name`."""
    return Report(
        findings=(
            Finding("MS202", Severity.ERROR, name, name, name, (name,), (name, "other"), 7),
            Finding("MS209", Severity.INFO, "elsewhere", name),
        ),
        vaults=(VaultSummary(name, "ignored", name, (Gauge(name, name, 201, 1, CAPS, (name,), name),), 1),),
        remarks=(name,),
    )


HOSTILE = {
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "line separator": "a\u2028b\x85c",
    "terminal escape": "\x1b[31mred\x1b[0m",
    "right-to-left override": "\u202egpj.exe",
    "workflow command": "::error::all is well",
    "workflow command after a line feed": "a\n::error file=x,line=1::b",
    "workflow command after blanks": "  ::stop-commands::x",
    "old workflow command": "a ##[error]b",
    "pipelines command": "##vso[task.complete result=Failed;]",
    "escaped line feed": "a%0A::error::b%25",
    "end of CDATA": "]]>",
    "tags": "<script>alert(1)</script><!--",
    "ampersand": "a & b &amp; &#10;",
    "quotes": "\"a' b",
    "backticks": "`a` ``` ````",
    "pipe": "a|b \\| c\\",
    "link": "[a](http://b.example) ![c](d) {0}",
    "bare link": "www.a.example http://b.example c@d.example",
    "emphasis": "**a** __b__ ~~c~~ # d",
    "list item": "- a",
    "a byte that is no text": "caf\udcff",
    "half a surrogate pair": "\ud800",
    "NUL and DEL": "a\x00b\x7f",
    "one blank": " ",
    "nothing": "",
    "5,000 letters": "a" * 5_000,
    "beyond the first plane": "\U0001f9e0 日本",
}
