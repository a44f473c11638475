"""The protocol of the tables for organising steps."""

from collections.abc import Mapping
from typing import Protocol

from thresher.store.organise_records import PageMove, StepRow
from thresher.types import Judgement


class Organising(Protocol):
    """The steps that moved pages, each with what is needed to undo it. Everything written is durable at once."""

    def take(self, step: StepRow, judgements: Mapping[int, Judgement]) -> StepRow:
        """Write a step and the new judgements of the pages it moves, in one transaction; return it with its id.

        Pages that are not stored, or that were never judged, are passed over.
        """

    def steps(self) -> list[StepRow]:
        """Return all steps, oldest first, those undone among them."""

    def hidden(self) -> list[str]:
        """Return the topics that are out of sight: those that steps hide which were not undone, in order."""

    def moves(self, step: int) -> list[PageMove]:
        """Return the pages that a step moved, in the order of the ids."""

    def of_page(self, page: int) -> list[tuple[StepRow, PageMove]]:
        """Return the steps that moved a page and were not undone, with its moves, oldest first."""

    def undo(self, step: int, at: float) -> list[int]:
        """Restore the previous judgements of a step's pages, and return their ids.

        Pages that were judged again since are left as they are; where a later step did that, undoing it gives them
        back what they had before both. Undoing a step a second time changes nothing.
        """
