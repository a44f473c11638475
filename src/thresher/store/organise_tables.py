"""The protocol of the tables for organising steps."""

from collections.abc import Mapping
from typing import Protocol

from thresher.store.organise_records import PageMove, StepRow
from thresher.types import Judgement


class Organising(Protocol):
    """The steps that moved pages, each with what is needed to undo it. Everything written is durable at once."""

    def take(self, step: StepRow, judgements: Mapping[int, Judgement]) -> StepRow:
        """Write a step and the new judgements of the pages it moves, in one transaction; return it with its id.

        Pages that are not stored or were never judged are skipped.
        """

    def steps(self) -> list[StepRow]:
        """Return all steps, including undone ones, oldest first."""

    def hidden(self) -> list[str]:
        """Return the topics hidden by steps that are in effect, in order."""

    def moves(self, step: int) -> list[PageMove]:
        """Return the pages that a step moved, in order of id."""

    def of_page(self, page: int) -> list[tuple[StepRow, PageMove]]:
        """Return the steps that moved a page and are in effect, with its moves, oldest first."""

    def undo(self, step: int, at: float) -> list[int]:
        """Restore the previous judgements of a step's pages and return their ids.

        Pages that were judged again since are left unchanged; if a later step judged them, undoing that step restores
        what they had before both. Undoing a step a second time changes nothing.
        """
