"""core/memory_servers.py: names of files, folders and projects, as basic-memory 0.24.1 makes them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from memstile.core.gate_words import CallClass
from memstile.core.memory_servers import BASIC_MEMORY, Project, file_name, folder_path, permalink, project_of
from tests.hosts.payload_tools import JSON

TITLES = {
    "MEMORY": "MEMORY.md",
    "MEMORY.": "MEMORY.md",
    "-MEMORY:": "MEMORY.md",
    "MEMORY.md": "MEMORY.md.md",
    " MEMORY ": " MEMORY .md",
    "v7/MEMORY": "v7-MEMORY.md",
    "a\\b<c>|?*d": "a-b-c-d.md",
    "...": ".md",
    "": ".md",
}
FOLDERS = {
    "/": "",
    "": "",
    "vault/sub/": "vault/sub",
    "./v5": "v5",
    " a b \n": "a b",
    "a//b\\c": "a/b/c",
    "v:8!": "v8",
    "../v8": None,
    "a/../b": None,
    "notes.d/ü": "notes.d/ü",
}
LINKS = {
    "vault/Sub Dir/MEMORY": "vault/sub-dir/memory",
    "myDir/Zwei_Drei": "my-dir/zwei-drei",
    "It's a -- test": "its-a-test",
    "-a-/b.c": "a/b.c",
    "": "",
}


@pytest.mark.parametrize("title", TITLES)
def test_a_title_becomes_a_file_name(title: str) -> None:
    assert file_name(title) == TITLES[title]


@pytest.mark.parametrize("directory", FOLDERS)
def test_a_directory_stays_below_the_project(directory: str) -> None:
    assert folder_path(directory) == FOLDERS[directory]


@pytest.mark.parametrize("path", LINKS)
def test_names_are_compared_as_permalinks(path: str) -> None:
    assert permalink(path) == LINKS[path]


CONFIGURED: dict[str, object] = {
    "projects": {
        "main": {"path": "/m", "mode": "local"},
        "My Notes": {"path": "/n"},
        "far": {"path": "/f", "mode": "cloud"},
    },
    "default_project": "main",
}
MAIN = Project("main", "/m", "main/")
PROJECTS: dict[str, tuple[dict[str, object], object, str, Project | None]] = {
    "default": ({}, CONFIGURED, "", MAIN),
    "named": ({"project": "my-notes"}, CONFIGURED, "", Project("My Notes", "/n", "my-notes/")),
    "named-in-capitals": ({"project": "MAIN"}, CONFIGURED, "", MAIN),
    "bound": ({"project": "main"}, CONFIGURED, "My Notes", Project("My Notes", "/n", "my-notes/")),
    "no-such": ({"project": "x"}, CONFIGURED, "", None),
    "cloud": ({"project": "far"}, CONFIGURED, "", None),
    "by-id": ({"project_id": "53ddc24b"}, CONFIGURED, "", None),
    "of-a-workspace": ({"project": "main", "workspace": "w"}, CONFIGURED, "", None),
    "first": ({}, {"projects": {"a": {"path": "/a"}}, "default_project": "gone"}, "", Project("a", "/a", "a/")),
    "older": ({}, {"projects": {"main": "/m"}, "default_project": "main"}, "", MAIN),
    "plain-links": ({}, {**CONFIGURED, "permalinks_include_project": False}, "", Project("main", "/m")),
    "none": ({}, {}, "", None),
    "broken": ({}, {"projects": {"main": {"path": 1}}}, "", None),
    "no-object": ({}, [1], "", None),
}


@pytest.mark.parametrize("row", PROJECTS)
def test_a_call_is_about_a_project_of_the_configuration(row: str) -> None:
    arguments, configuration, only, project = PROJECTS[row]
    assert project_of(arguments, configuration, only) == project


@settings(max_examples=150)
@given(JSON, JSON, JSON)
def test_any_configuration_is_read(projects: object, usual: object, project: object) -> None:
    project_of({"project": project}, {"projects": projects, "default_project": usual})
    project_of({"project": project}, projects)


def test_the_tools_are_those_of_the_servers_own_hints() -> None:
    """The hints: 21 tools are read-only, 4 are destructive to the server, two write without that hint."""
    writes = {name for name, kind in BASIC_MEMORY.items() if kind in (CallClass.WRITE, CallClass.DESTRUCTIVE)}
    assert len(BASIC_MEMORY) == 27
    assert writes == {
        "write_note", "edit_note", "delete_note", "delete_project", "move_note", "create_memory_project"
    }  # fmt: skip
