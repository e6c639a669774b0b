"""Make stores with rows in them, also from processes of their own; `python -m tests.store_tools FOLDER NAME COUNT`."""

from __future__ import annotations

import sys
from pathlib import Path

from memstile.core.log_row import Row
from memstile.store import Changed, Store, open_store, with_turn

NOW = 1_000_000.0
KEY = ("h", "s", "a")
TTL_S = 3600.0


def decided(call: str, **fields: object) -> Row:
    """Make a row of a decision that breaks nothing."""
    row = Row(time=NOW, host="h", session="s", agent="a", event="tool_call", call=call, mode="audit", action="allow")
    return Row._make({**row._asdict(), **fields}.values())


def put(folder: Path, *rows: Row, now: float = NOW) -> None:
    """Append rows in one transaction."""
    with_turn(str(folder), KEY, now, TTL_S, lambda state: Changed("{}", rows, None))


def filled(folder: Path, count: int = 5) -> Path:
    """Make a store with some rows, a transaction each."""
    for number in range(count):
        put(folder, decided(f"c{number}"))
    return folder


def count_up(store: Store, name: str, number: int, now: float = NOW) -> int:
    """Add one to the count that stands for a turn, with a row."""

    def change(state: str | None) -> Changed[int]:
        after = int(state or "0") + 1
        row = Row(time=now, host="h", session=name, event="tool_call", call=f"{name}-{number}", action="allow")
        return Changed(str(after), [row], after)

    return store.with_turn(("h", "shared", ""), now, TTL_S, change)


def main() -> None:
    """Count up COUNT times as NAME, and print each number after its commit."""
    folder, name, count = sys.argv[1:]
    store = open_store(folder, 20.0)
    for number in range(int(count)):
        print(count_up(store, name, number), flush=True)


if __name__ == "__main__":
    main()
