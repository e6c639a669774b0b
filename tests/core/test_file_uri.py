"""core/file_uri.py: addresses of files, and paths that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core.file_uri import local_path

ADDRESSES = {
    "file:///v/MEMORY.md": "/v/MEMORY.md",
    "file:/v/MEMORY.md": "/v/MEMORY.md",
    "file://localhost/v/MEMORY.md": "/v/MEMORY.md",
    "FILE:///v/M%45MORY%2emd": "/v/MEMORY.md",
    "file:///v/a%20b#part": "/v/a b",
    "file:///v/a?x=1": "/v/a",
    "file:///v/%C3%BC": "/v/ü",
    "file:///v/ü": "/v/ü",
    "file:///v/%FF": "/v/\udcff",
    "file:///v/100%": "/v/100%",
    "file:///v/%zz%+1%4": "/v/%zz%+1%4",
    "file:///v/%2541": "/v/%41",
    "file:///v/\ud800": "/v/\ufffd",
    "file:a%20b": "a b",
    "file://host": "/",
    "file:": "",
    "/v/a%20b": "/v/a%20b",
    "http://host/v/a%20b": "http://host/v/a%20b",
    "files/a": "files/a",
    "": "",
}


@pytest.mark.parametrize("spelled", ADDRESSES)
def test_an_address_names_a_path_and_a_path_itself(spelled: str) -> None:
    assert local_path(spelled) == ADDRESSES[spelled]


@given(st.text(max_size=12), st.sampled_from(["", "file:", "file://", "file:///"]))
def test_any_text_is_read(path: str, scheme: str) -> None:
    assert isinstance(local_path(scheme + path), str)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_a_path_that_was_encoded_comes_back(path: str) -> None:
    assert local_path("file:///" + "".join(f"%{byte:02X}" for byte in path.encode())) == "/" + path
