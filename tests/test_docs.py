"""The documentation is true: its commands print what it shows, its settings load, its pages keep up with the tables."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from docs.host_runs import refused, set_up
from docs.host_tables import readme_table
from memstile import launcher
from memstile.cli.main import run
from memstile.config import settings_from_bytes
from memstile.core.rules import RULES
from memstile.core.settings import DEFAULTS
from memstile.doctor_gate_payloads import GATE_FORMS
from memstile.hosts import HOSTS
from tests.docs_blocks import ROOT, Block, blocks, played

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [block for page in PAGES for block in blocks(page)]
README = (ROOT / "README.md").read_text("utf-8")
LANGUAGES = {"console", "toml", "yaml", "sh", "text", "python", "json", "mermaid"}


def of(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language]


def place(block: Block) -> str:
    return f"{block.file}:{block.line}"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RENDERED = generator().PAGES


def shown(name: str) -> str:
    """Give the block of the README that stands below a mark."""
    found = re.findall(rf"^<!-- shown: {name} -->\n```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, name
    return str(found[0])


def figures_out(text: str) -> str:
    """Blank what is another machine's: times, and the version of Python."""
    return re.sub(r"\d+ ms|Python [\d.]+", "-", text)


@pytest.mark.parametrize("block", of("console"), ids=place)
def test_a_console_block_shows_what_its_commands_print(block: Block) -> None:
    assert played(block) == block.text


@pytest.mark.parametrize("block", of("toml"), ids=place)
def test_a_settings_block_loads_and_says_something(block: Block) -> None:
    assert settings_from_bytes({"memstile.toml": block.text.encode()}) != DEFAULTS
    assert set(tomllib.loads(block.text)) <= {"index_name", "vault", "index", "git", "gate", "watch", "audit"}


@pytest.mark.parametrize("block", of("yaml"), ids=place)
def test_a_yaml_block_is_yaml(block: Block) -> None:
    assert isinstance(yaml.safe_load(block.text), dict)


def test_every_hook_that_the_readme_names_is_in_the_manifest() -> None:
    manifest = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    used = set(re.findall(r"id: (memstile[\w-]*)", (ROOT / "README.md").read_text("utf-8")))
    listed = set(re.findall(r"^\| `(memstile[\w-]*)` \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    assert used <= manifest
    assert listed == manifest


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    assert {block.language for block in BLOCKS} <= LANGUAGES


@pytest.mark.parametrize("page", sorted(RENDERED))
def test_a_rendered_page_keeps_up_with_its_table(page: str) -> None:
    assert (ROOT / "docs" / page).read_text("utf-8") == RENDERED[page]()


def test_every_host_has_a_page_and_every_page_has_a_host() -> None:
    pages = {path.name for path in (ROOT / "docs" / "hosts").iterdir()}
    assert pages == {f"{host}{ending}" for host in HOSTS for ending in (".md", ".in.md")}


@pytest.mark.parametrize("page", sorted(RENDERED))
def test_a_rendered_page_has_no_mark_left_to_fill(page: str) -> None:
    assert re.findall(r"\{[a-z_]+\}", RENDERED[page]()) == []


def test_the_readme_shows_what_the_hook_says() -> None:
    assert shown("refusal") == refused("claude-code")[1] + "\n"


def with_launcher(tmp_path: Path) -> dict[str, str]:
    """Give somebody whose state folder has the launcher, and whose `python3` is the one that it is for."""
    started = Path(launcher.place(str(tmp_path / ".local/state/memstile")))
    started.parent.mkdir(parents=True)
    started.write_text(launcher.script(os.path.dirname(launcher.package_folder())))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(launcher.interpreter())
    (tmp_path / "temporary").mkdir()
    return {"HOME": str(tmp_path), "PATH": f"{tmp_path}/bin:/usr/bin:/bin", "TMPDIR": str(tmp_path / "temporary")}


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_a_payload_that_is_sent_by_hand_is_refused_and_leaves_nothing(host: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "hosts" / f"{host}.md").read_text("utf-8")
    [script] = re.findall(rf"^<!-- played: {host} -->\n```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    outside = with_launcher(tmp_path)
    done = subprocess.run(("sh", "-c", script), cwd=tmp_path, env=outside, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    told = answer.get("hookSpecificOutput", answer)
    reason = str(told.get("permissionDecisionReason") or told.get("reason"))
    assert (done.returncode, done.stderr, reason.partition(":")[0]) == (0, "", "INDEX_GREW_OVER_CAP")
    assert "from 0 to 203 lines" in reason
    assert "deny" in (told.get("permissionDecision"), told.get("decision"))
    assert os.listdir(tmp_path / ".local/state/memstile") == ["launcher"]


@pytest.mark.parametrize("host", GATE_FORMS)
def test_a_session_that_is_sent_by_hand_is_refused_once(host: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "hosts" / f"{host}.md").read_text("utf-8")
    [script] = re.findall(rf"^<!-- session: {host} -->\n```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    done = subprocess.run(
        ("sh", "-c", script), cwd=tmp_path, env=with_launcher(tmp_path), capture_output=True, text=True, check=False
    )
    first, second, third, rest = re.split(r"exit code \d\n", done.stdout)
    assert "CLASSIFICATION_REQUIRED" in (first or done.stderr)
    assert (done.returncode, second, third, rest, "Traceback" in done.stderr) == (0, "", "", "", False)
    assert os.listdir(tmp_path / ".local/state/memstile") == ["launcher"]


def test_the_readme_lists_the_hosts_as_their_rows_do() -> None:
    assert readme_table() in README


def test_the_readme_shows_how_a_host_is_set_up_and_what_the_doctor_says() -> None:
    steps, told = set_up("claude-code")
    assert shown("init") == steps
    assert figures_out(shown("doctor")) == figures_out(told)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_to_a_file_of_the_project_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_every_code_in_the_docs_is_a_rule() -> None:
    known = {rule.code for rule in RULES} | {"MS900"}  # what a document holds where nothing could be checked
    named = {code for page in PAGES for code in re.findall(r"\bMS\d{3}\b", page.read_text("utf-8"))}
    assert named <= known


def test_the_example_vaults_are_what_the_readme_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert [run(("check", f"examples/{name}")) for name in ("vault", "over-cap")] == [0, 1]
