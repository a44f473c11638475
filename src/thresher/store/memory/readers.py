"""Attempts, clicks and former topic names, in memory."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from thresher.store.clicks import ClickRow
from thresher.store.memory.tables import Tables
from thresher.store.tries import DAY


class MemoryTries:
    """Attempts by kind and name."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._times: dict[tuple[str, bytes], list[float]] = {}

    def take(self, kind: str, name: bytes, at: float, since: float, most: int) -> float | None:
        """Count an attempt and return None; if `most` were counted after `since`, return when the first of them was."""
        with self._tables.lock:
            times = sorted(time for time in self._times.get((kind, name), []) if time > since)
            if len(times) >= most:
                return times[-most]
            kept = [time for time in self._times.get((kind, name), []) if time > at - DAY]
            self._times[kind, name] = [*kept, at]
        return None

    def counted(self, kind: str, name: bytes, at: float) -> tuple[int, float]:
        """Return the number of attempts in the day before `at`, and when the last was, 0 if there was none."""
        with self._tables.lock:
            times = [time for time in self._times.get((kind, name), []) if time > at - DAY]
        return len(times), max(times, default=0.0)

    def forget(self, kind: str, name: bytes) -> None:
        """Forget the attempts of a name."""
        with self._tables.lock:
            self._times.pop((kind, name), None)


class MemoryClicks:
    """The results readers opened."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rows: list[ClickRow] = []

    def add(self, row: ClickRow) -> int:
        """Add a click and return its number."""
        with self._tables.lock:
            self._rows.append(replace(row, id=len(self._rows) + 1))
            return len(self._rows)

    def returned(self, row: ClickRow) -> bool:
        """Record the `seconds` after which a reader came back; return False if no open click of theirs matches."""
        with self._tables.lock:
            same = [click for click in self._rows if (click.query, click.page, click.reader) == _key(row)]
            if not same or same[-1].seconds is not None:
                return False
            self._rows[same[-1].id - 1] = replace(same[-1], seconds=row.seconds)
            return True

    def all(self, query: str | None = None, reader: str | None = None) -> list[ClickRow]:
        """Return the clicks, oldest first: all, or those for one query or by one reader."""
        with self._tables.lock:
            return [row for row in self._rows if query in (None, row.query) and reader in (None, row.reader)]


def _key(row: ClickRow) -> tuple[str, int, str]:
    return row.query, row.page, row.reader


class MemoryTopicHistory:
    """Former names of topics, and their colours."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._moves: dict[str, str] = {}
        self._colours: dict[str, int] = {}

    def move(self, moves: Sequence[tuple[str, str]], at: float) -> None:
        """Record that topics have new names, as pairs (old, new); colours follow."""
        with self._tables.lock:
            for before, later in moves:
                self._moves[before] = later
                self._moves.pop(later, None)
                colour = self._colours.pop(before, None)
                if colour is not None:
                    self._colours.setdefault(later, colour)

    def forget(self, path: str) -> None:
        """Forget what became of a topic: it is back under its old path. Colours stay."""
        with self._tables.lock:
            self._moves.pop(path, None)

    def moves(self) -> dict[str, str]:
        """Return the next name of each topic that was renamed, moved or merged; that one may have changed again."""
        with self._tables.lock:
            return dict(self._moves)

    def colours(self) -> dict[str, int]:
        """Return the colour numbers of branches."""
        with self._tables.lock:
            return dict(self._colours)

    def paint(self, colours: Mapping[str, int]) -> None:
        """Give colours to branches that have none."""
        with self._tables.lock:
            self._colours = {**colours, **self._colours}
