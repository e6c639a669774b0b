"""The junit format: test results for CI systems that show no other kind."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Sequence

from memstile.core.finding import Finding
from memstile.core.record import NamedTuple
from memstile.core.rules import RULES
from memstile.core.rules.rule import Rule
from memstile.core.text import shown
from memstile.report.console import inert
from memstile.report.model import Report, Style
from memstile.report.ownership import by_vault
from memstile.report.tally import fails
from memstile.report.telling import headline, remarks, remedy


class Case(NamedTuple):
    """One test case: a vault, or the settings, and the group of rules it stands for."""

    place: str
    group: str
    findings: tuple[Finding, ...]


def render(report: Report, _style: Style, rules: Iterable[Rule] = RULES) -> str:
    """Write one suite. A case fails by what fails the run; what does not is its output. Nothing is skipped.

    The case "settings" is always there: some CI systems call a file without any case an error.
    """
    cases = list(_cases(report, tuple(rules)))
    failed = sum(any(fails(finding, report) for finding in case.findings) for case in cases)
    counts = {
        "name": "memstile",
        "tests": str(len(cases)),
        "failures": str(failed),
        "errors": "0",
        "skipped": "0",
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", counts)
    for case in cases:
        _write(suite, case, report)
    told = remarks(report)
    if told:
        ET.SubElement(suite, "system-out").text = "\n".join(told)
    ET.indent(root)
    # US-ASCII with character references: right in whatever encoding the stream writes it.
    document: bytes = ET.tostring(root, "us-ascii", xml_declaration=True)
    return inert(document.decode("ascii")) + "\n"


def _cases(report: Report, rules: Sequence[Rule]) -> Iterator[Case]:
    groups = {rule.code: rule.group for rule in rules}
    names = [name for name in dict.fromkeys(groups.values()) if name]
    ordered = by_vault(report)
    for vault, findings in ordered.vaults:
        sorted_out = {name: tuple(f for f in findings if groups.get(f.code) == name) for name in names}
        yield from (Case(vault.path, name, found) for name, found in sorted_out.items())
        other = tuple(f for f in findings if groups.get(f.code) not in names)
        if other:
            yield Case(vault.path, "other", other)
    yield Case("memstile", "settings", ordered.elsewhere)


def _write(suite: ET.Element, case: Case, report: Report) -> None:
    element = ET.SubElement(suite, "testcase", {"classname": shown(case.place), "name": shown(case.group)})
    failing = [finding for finding in case.findings if fails(finding, report)]
    if failing:
        first, more = failing[0], len(failing) - 1
        message = shown(first.message) + (f" (and {more} more)" if more else "")
        failure = ET.SubElement(element, "failure", {"type": shown(first.code), "message": message})
        failure.text = _told(failing)
    passing = [finding for finding in case.findings if not fails(finding, report)]
    if passing:
        ET.SubElement(element, "system-out").text = _told(passing)


def _told(findings: Iterable[Finding]) -> str:
    return "\n".join(line for finding in findings for line in (headline(finding), *remedy(finding)))
