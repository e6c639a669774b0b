"""core/plot_svg.py: a picture that is whole, safe and true to its caps."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memstile.core.plot import Mark, Plot, Point
from memstile.core.plot_svg import Picture, svg

SVG = "{http://www.w3.org/2000/svg}"
HARD, SOFT = Mark("hard cap", 200, "=", is_limit=True), Mark("soft cap", 150, ".")


def picture(*values: int, title: str = "v/MEMORY.md") -> Picture:
    points = tuple(Point(float(time), value) for time, value in enumerate(values))
    return Picture(title, "said", (Plot("lines", points, (HARD, SOFT), 0.0, 10.0, ("mon", "tue", "wed")),))


def read(*pictures: Picture) -> ET.Element:
    return ET.fromstring(svg(pictures))  # noqa: S314 - what we wrote


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def corners(root: ET.Element) -> str:
    [path, *_] = [element.get("d", "") for element in root.iter(f"{SVG}path")]
    return path


def test_a_picture_has_its_name_caps_sizes_and_times() -> None:
    assert texts(read(picture(100, 210))) == [
        "v/MEMORY.md", "said", "lines", "0", "100", "200", "hard cap 200", "soft cap 150", "mon", "tue", "wed",
    ]  # fmt: skip


def test_the_curve_is_made_of_steps() -> None:
    assert re.sub(r"[\d.]+", "#", corners(read(picture(100, 210)))) == "M# # H# V# H#"


def test_without_a_size_there_is_no_curve() -> None:
    assert list(read(picture()).iter(f"{SVG}path")) == []


def test_what_is_past_the_hard_cap_is_cut_out_above_its_line() -> None:
    root = read(picture(100, 210))
    [rect] = [rect for clip in root.iter(f"{SVG}clipPath") for rect in clip]
    past = float(rect.get("y", "")) + float(rect.get("height", ""))
    [limit] = [float(line.get("y1", "")) for line in root.iter(f"{SVG}line") if line.get("class") == "mark limit"]
    assert past == limit - 2


def test_labels_of_caps_that_lie_close_do_not_cover_each_other() -> None:
    plot = Plot("bytes", (), (Mark("a", 1_000), Mark("b", 1_001), Mark("c", 999)), 0.0, 1.0)
    root = read(Picture("t", "s", (plot,)))
    heights = sorted(
        float(text.get("y", "")) for text in root.iter(f"{SVG}text") if (text.text or "")[1:3] in (" 1", " 9")
    )
    assert len(heights) == 3
    assert all(after - before >= 13 for before, after in pairwise(heights))


def test_pictures_stand_below_each_other_with_names_of_their_own() -> None:
    root = read(picture(1), picture(2))
    names = [clip.get("id") for clip in root.iter(f"{SVG}clipPath")]
    assert names == ["over-0-0", "over-1-0"]
    assert float(root.get("height", "")) == 2 * float(read(picture(1)).get("height", ""))


@given(st.text(), st.lists(st.integers(0, 10**40), max_size=5))
def test_any_name_and_size_make_a_document(name: str, values: list[int]) -> None:
    root = read(picture(*values, title=name + "</text><script>&\x1b\ud800"))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "style", "rect", "text", "line", "clipPath", "path",
    }  # fmt: skip
    assert "\x1b" not in "".join(texts(root))


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = svg([picture(1, 300)])
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    assert re.findall(r"url\([^#]|href|<script|@import", text) == []


def test_many_points_make_no_large_picture() -> None:
    points = tuple(Point(number / 20_000, number % 300) for number in range(200_000))
    plot = Plot("lines", points, (HARD,), 0.0, 10.0)
    assert len(svg([Picture("t", "s", (plot,))])) < 60_000
