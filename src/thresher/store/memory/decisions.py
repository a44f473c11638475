"""People's decisions, in memory."""

import math
from collections.abc import Sequence

from msgspec.structs import replace

from thresher.store.decisions import (
    Decided,
    DecisionKind,
    DecisionRow,
    DeedRow,
    DoubtfulPage,
    LessonRow,
    NamedTopics,
    renamed,
)
from thresher.store.memory.tables import Tables
from thresher.store.page_records import DocumentRow, ReviewState


class MemoryDecisions:
    """People's decisions about pages."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, row: DecisionRow) -> int:
        """Add a decision, settle its page accordingly, and return its number."""
        with self._tables.lock:
            number = len(self._tables.decisions) + 1
            self._tables.decisions[number] = replace(row, id=number)
            self._settle(row.page)
            return number

    def add_all(self, rows: Sequence[DecisionRow]) -> list[int]:
        """Add decisions in one transaction and return their numbers in the same order."""
        with self._tables.lock:
            return [self.add(row) for row in rows]

    def mark_all(self, numbers: Sequence[int], undone: float | None) -> None:
        """Undo decisions in one transaction, or reinstate them for None; unknown numbers are ignored."""
        with self._tables.lock:
            for number in numbers:
                self._mark(number, undone)

    def undo(self, number: int, at: float) -> DecisionRow | None:
        """Undo a decision and settle its page by the earlier ones; None if there is no such decision."""
        return self._mark(number, at)

    def redo(self, number: int) -> DecisionRow | None:
        """Reinstate an undone decision; None if there is no such decision."""
        return self._mark(number, None)

    def _mark(self, number: int, at: float | None) -> DecisionRow | None:
        with self._tables.lock:
            row = self._tables.decisions.get(number)
            if row is not None and (row.undone is None) is not (at is None):
                row = self._tables.decisions[number] = replace(row, undone=at)
                self._settle(row.page)
            return row

    def get(self, number: int) -> DecisionRow | None:
        """Return a decision, or None if there is none with that number."""
        return self._tables.decisions.get(number)

    def all(self, limit: int = 0, offset: int = 0) -> list[DecisionRow]:
        """Return decisions, including undone ones, newest first; a limit of 0 returns all."""
        found = list(self._tables.decisions.values())[::-1]
        return found[offset : offset + limit if limit else None]

    def count(self) -> int:
        """Return the number of decisions, including undone ones."""
        return len(self._tables.decisions)

    def of_page(self, page: int) -> list[DecisionRow]:
        """Return the decisions about a page, oldest first."""
        return [row for row in self._tables.decisions.values() if row.page == page]

    def settled(self, pages: Sequence[int] | None = None) -> dict[int, Decided]:
        """Return what is settled, by page id: for some pages, or for all if None."""
        with self._tables.lock:
            wanted = self._tables.settled.keys() if pages is None else set(pages) & self._tables.settled.keys()
            return {id_: self._tables.settled[id_] for id_ in wanted}

    def rename(self, before: str, after: str, only: Sequence[int] | None = None) -> list[NamedTopics]:
        """Rename a topic, and all below it, in decisions; return the topics they named before."""
        with self._tables.lock:
            rows = [row for row in self.all() if only is None or row.id in only]
            changed = [(new, row) for row in rows if (new := renamed(row, before, after)) != row]
            self.restore([NamedTopics(new.id, new.shown, new.topic) for new, _ in changed])
        return [NamedTopics(old.id, old.shown, old.topic) for _, old in changed]

    def restore(self, rows: Sequence[NamedTopics]) -> None:
        """Set the topics that decisions name and settle their pages again; unknown numbers are ignored."""
        with self._tables.lock:
            known = [row for row in rows if row.number in self._tables.decisions]
            for number, shown, topic in known:
                self._tables.decisions[number] = replace(self._tables.decisions[number], shown=shown, topic=topic)
            for page in {self._tables.decisions[row.number].page for row in known}:
                self._settle(page)

    def doubtful(self, topics: Sequence[str], limit: int) -> list[DoubtfulPage]:
        """Return at most `limit` undecided pages of each topic, least confident first."""
        return [
            doubt
            for topic in topics
            for doubt in sorted(self._open(topic), key=lambda doubt: (doubt.confidence, doubt.id))[:limit]
        ]

    def nearly_accepted(self, limit: int) -> list[DoubtfulPage]:
        """Return undecided pages that no topic accepted, the closest to acceptance first."""
        return sorted(self._open(None), key=lambda doubt: (-doubt.confidence, doubt.id))[:limit]

    def _open(self, topic: str | None) -> list[DoubtfulPage]:
        """Return the undecided pages listed under a topic, or, for None, the pages no topic accepted."""
        found: list[DoubtfulPage] = []
        with self._tables.lock:
            for id_, (_, page) in self._tables.documents.items():
                judged = self._tables.judgements.get(id_)
                if id_ in self._tables.settled or judged is None or judged.topic != topic or not _shown(page):
                    continue
                asked = topic if topic is not None else judged.rejection.topic if judged.rejection else None
                if asked is not None and not math.isnan(judged.confidence):
                    values = (judged.confidence, judged.probability, topic is not None)
                    found.append(DoubtfulPage(id_, page.url, page.host, asked, *values))
        return found

    def _settle(self, page: int) -> None:
        """Settle a page by its newest decision in effect, or leave it to the classifier if there is none."""
        rows = [row for row in self.of_page(page) if row.undone is None and row.kind is not DecisionKind.LATER]
        if rows:
            topic, shown = rows[-1].topic, rows[-1].shown
            kept = ReviewState.RIGHT if topic == shown else ReviewState.MOVED
            self._tables.settled[page] = Decided(topic, ReviewState.IRRELEVANT if topic is None else kept)
        else:
            self._tables.settled.pop(page, None)
        seq = self._tables.draw()
        if page in self._tables.documents:
            self._tables.documents[page] = (seq, self._tables.documents[page][1])


class MemoryLessons:
    """Lessons from answers, estimated or applied."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def put(self, row: LessonRow) -> LessonRow:
        """Write a lesson, a new one if its number is 0, and return it with its number."""
        with self._tables.lock:
            kept = replace(row, id=row.id or len(self._tables.lessons) + 1)
            self._tables.lessons[kept.id] = kept
            return kept

    def swap(self, seen: LessonRow, row: LessonRow) -> bool:
        """Replace a lesson if its state and process are still as seen; return whether they were."""
        with self._tables.lock:
            known = self._tables.lessons.get(seen.id)
            if known is None or (known.state, known.pid) != (seen.state, seen.pid):
                return False
            self._tables.lessons[seen.id] = replace(row, id=seen.id)
            return True

    def get(self, number: int) -> LessonRow | None:
        """Return a lesson, or None if there is none with that number."""
        return self._tables.lessons.get(number)

    def all(self) -> list[LessonRow]:
        """Return all lessons, newest first."""
        return [self._tables.lessons[number] for number in sorted(self._tables.lessons, reverse=True)]


class MemoryDeeds:
    """Other changes made by people."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def add(self, row: DeedRow) -> int:
        """Add a deed and return its number."""
        with self._tables.lock:
            number = len(self._tables.deeds) + 1
            self._tables.deeds[number] = replace(row, id=number)
            return number

    def undone(self, number: int, at: float | None) -> None:
        """Record when a deed was undone; None if it is in effect again."""
        with self._tables.lock:
            if number in self._tables.deeds:
                self._tables.deeds[number] = replace(self._tables.deeds[number], undone=at)

    def get(self, number: int) -> DeedRow | None:
        """Return a deed, or None if there is none with that number."""
        return self._tables.deeds.get(number)

    def all(self, kinds: Sequence[str] = (), limit: int = 100) -> list[DeedRow]:
        """Return the newest deeds, of some kinds or all, including undone ones."""
        rows = [row for row in self._tables.deeds.values() if not kinds or row.kind in kinds]
        return rows[::-1][:limit]


def _shown(page: DocumentRow) -> bool:
    return page.gone is None and "noindex" not in page.robots
