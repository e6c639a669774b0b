"""core/gate_ids.py: texts that stand for values, one for one."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstile.core import gate_ids
from memstile.core.gate_ids import digest, id_text
from tests.hosts.payload_tools import JSON

DISTINCT: list[object] = [
    None,
    0,
    "0",
    0.0,
    1,
    "1",
    1.0,
    True,
    "true",
    False,
    "#1",
    "#true",
    [],
    {},
    [0],
    ["0"],
    {"a": 0},
    [[]],
    "",
]


def test_no_two_values_have_one_digest() -> None:
    texts = [digest(value) for value in DISTINCT]
    assert len(set(texts)) == len(DISTINCT)


def test_no_two_ids_have_one_text_but_none_and_the_empty_one() -> None:
    texts = [id_text(value) for value in DISTINCT]
    assert len(set(texts)) == len(DISTINCT) - 1
    assert (id_text(None), id_text("")) == ("", "")


@pytest.mark.parametrize(("value", "text"), [("t1", "t1"), (7, "#7"), (True, "#true"), ("日本", "日本"), (-1, "#-1")])
def test_a_plain_id_is_told_as_it_is(value: object, text: str) -> None:
    assert id_text(value) == text


@pytest.mark.parametrize("value", ["x" * 201, 10**5000, [1], {"a": 1}, 1.5, "#a"], ids=range(6))
def test_any_other_id_is_a_short_digest(value: object) -> None:
    assert len(id_text(value)) == 34


def test_the_order_of_keys_does_not_matter() -> None:
    assert digest({"a": 1, "b": [2, {"c": 3, "d": 4}]}) == digest({"b": [2, {"d": 4, "c": 3}], "a": 1})


def test_the_order_of_a_list_does() -> None:
    assert digest([1, 2]) != digest([2, 1])


@given(JSON, JSON)
def test_equal_digests_are_of_equal_values(one: object, other: object) -> None:
    assert digest(one) == digest(one)
    assert digest(one) != digest(other) or repr(one) == repr(other) or one == other


@given(st.integers(min_value=1, max_value=20_000))
def test_a_value_may_be_nested_to_any_depth(depth: int) -> None:
    value: object = 1
    for _ in range(depth):
        value = [value]
    assert len(digest(value)) == 32


def test_odd_scalars_have_a_digest() -> None:
    for value in (float("nan"), float("inf"), 10**5000, "\ud800", "\0"):
        assert digest(value) == digest(value)


def test_the_light_digest_is_that_of_hashlib() -> None:
    light = vars(gate_ids)["blake2b"]
    assert light(b"x", digest_size=16).hexdigest() == hashlib.blake2b(b"x", digest_size=16).hexdigest()
