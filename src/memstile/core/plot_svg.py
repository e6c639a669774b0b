"""Draw sizes over time as an SVG picture that stands by itself: no script, no font, nothing loaded from elsewhere."""

from __future__ import annotations

from memstile.core.plot import Plot, columns
from memstile.core.record import NamedTuple
from memstile.core.text import grouped, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_WIDTH, _LEFT, _RIGHT, _HEAD = 860, 70, 190, 78
_ACROSS, _DOWN, _FOOT = _WIDTH - _LEFT - _RIGHT, 170, 54
_LETTER, _ROOM = 13, 106  # percent

_STYLE = """\
<style>
text { font: 12px sans-serif; fill: #222 }
.title { font-size: 15px; font-weight: bold } .said, .tick { fill: #555 }
.paper { fill: #fff } .grid { stroke: #ddd } .axis { stroke: #888 }
.curve { fill: none; stroke: #1b5e9e; stroke-width: 2 } .over { stroke: #b3261e; stroke-width: 3 }
.mark { fill: none; stroke: #6a4c93; stroke-dasharray: 6 3 } .limit { stroke: #b3261e; stroke-dasharray: none }
.soft { stroke: #9a6700; stroke-dasharray: 2 3 }
@media (prefers-color-scheme: dark) {
  text { fill: #eee } .said, .tick { fill: #aaa } .paper { fill: #16181c } .grid { stroke: #333 }
  .curve { stroke: #74b3f0 } .over, .limit { stroke: #ff8a80 } .soft { stroke: #e0b050 } .mark { stroke: #b39ddb }
}
</style>"""

_CLASSES = {"-": "mark", ".": "mark soft", "=": "mark limit"}


class Picture(NamedTuple):
    """One index: its name, a line on it, and a plot for each dimension."""

    title: str
    said: str
    plots: tuple[Plot, ...]


def svg(pictures: Sequence[Picture]) -> str:
    """Draw pictures one below the other. Result: a whole SVG document; text in it is escaped."""
    height, body = 0, []
    for number, picture in enumerate(pictures):
        body += [_text(_LEFT, height + 26, picture.title, "title"), _text(_LEFT, height + 44, picture.said, "said")]
        height += _HEAD
        for place, plot in enumerate(picture.plots):
            body += _panel(plot, height, f"over-{number}-{place}")
            height += _DOWN + _FOOT
    names = _escaped(", ".join(picture.title for picture in pictures))
    return "\n".join((
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_WIDTH}" height="{height}"'
        f' viewBox="0 0 {_WIDTH} {height}">',
        f"<title>Size over time: {names}</title>",
        _STYLE,
        '<rect class="paper" width="100%" height="100%"/>',
        *body,
        "</svg>\n",
    ))  # fmt: skip


def _panel(plot: Plot, top: int, name: str) -> Iterator[str]:
    marks = [mark for mark in plot.marks if mark.value > 0]
    highest = max([point.value for point in plot.points] + [mark.value for mark in marks] + [1])
    limit = min([mark.value for mark in marks if mark.is_limit], default=highest)
    bottom = top + _DOWN

    def y(size: int) -> float:
        return (bottom * 10 - _DOWN * 1_000 * max(size, 0) // (highest * _ROOM)) / 10  # a size may be past any float

    yield _text(_LEFT, top - 8, plot.unit, "said")
    for size in _round_sizes(highest):
        yield _line(y(size), "grid" if size else "axis")
        yield _text(_LEFT - 8, y(size) + 4, grouped(size), "tick", "end")
    for mark, at in zip(marks, _apart([y(mark.value) for mark in marks]), strict=True):
        yield _line(y(mark.value), _CLASSES.get(mark.sign, "mark"))
        yield _text(_LEFT + _ACROSS + 8, at + 4, f"{mark.name} {grouped(mark.value)}", "said")
    path = _path(plot, y)
    past = max(y(limit) - 2 - top, 0)  # less than half the width of the line: a size at the cap is legal
    yield f'<clipPath id="{name}"><rect x="0" y="{top}" width="{_WIDTH}" height="{past:.1f}"/></clipPath>'
    if path:
        yield f'<path class="curve" d="{path}"/>'
        yield f'<path class="curve over" clip-path="url(#{name})" d="{path}"/>'
    yield from _ticks(plot, bottom + 18)


def _path(plot: Plot, y: Callable[[int], float]) -> str:
    """Write the steps; a slice of time is a pixel wide, whatever number of points there are."""
    steps: list[str] = []
    at = 0.0
    for x, column in enumerate(columns(plot, _ACROSS), _LEFT):
        if column is None:
            continue
        if not steps:
            at = y(column.last)
            steps.append(f"M{x} {at}")
        moves = []
        for height in map(y, (column.low, column.high, column.last)):
            moves += [f"V{height}"] if height != at else []
            at = height
        steps += [f"H{x}", *moves] if moves else []
    return " ".join((*steps, f"H{_LEFT + _ACROSS}")) if steps else ""


def _round_sizes(highest: int) -> list[int]:
    """Give about four round sizes up to the highest, 0 first."""
    power = 10 ** max(len(str(highest)) - 2, 0)
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50) if step * power * 4 >= highest) * power
    return list(range(0, highest + 1, step))


def _apart(heights: Sequence[float]) -> list[float]:
    """Move labels apart that would cover each other, upwards; the lowest stays where it is."""
    found = list(heights)
    above = float("inf")
    for at in sorted(range(len(heights)), key=lambda at: -heights[at]):
        found[at] = above = min(heights[at], above - _LETTER)
    return found


def _ticks(plot: Plot, y: int) -> Iterator[str]:
    last = len(plot.ticks) - 1
    for number, tick in enumerate(plot.ticks):
        anchor = "start" if not number else "end" if number == last else "middle"
        yield _text(_LEFT + (number * _ACROSS // last if last else 0), y, tick, "tick", anchor)


def _line(y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{_LEFT}" x2="{_LEFT + _ACROSS}" y1="{y}" y2="{y}"/>'


def _text(x: int, y: float, text: str, kind: str, anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x}" y="{y:.1f}" text-anchor="{anchor}">{_escaped(text)}</text>'


def _escaped(text: str) -> str:
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return shown(text)
