"""Reasons why long work cannot be done, with the values a message needs, and the list of all faults."""

from typing import Any, ClassVar, Final

import msgspec

from thresher.faults import Fault

# Topics and their training pages.


class NoTopics(Fault, frozen=True):
    """There are no topics."""


class NoTrainingPage(Fault, frozen=True):
    """No page of a topic can be learned from."""

    topic: str


class PrivateTrainingPages(Fault, frozen=True):
    """The pages of a topic are at private addresses, among them `host`."""

    topic: str
    host: str


class FewPagesForTopics(Fault, frozen=True):
    """There are `n` topics without a page, and only so many `pages` may be fetched."""

    n: int
    pages: int


class Untrained(Fault, frozen=True):
    """The topics have not been learned."""


class NoPageTeaches(Fault, frozen=True):
    """No crawled page is good enough to learn from."""


class ModelUnusable(Fault, frozen=True):
    """The trained model cannot be read."""


class TopicsUnreadable(Fault, frozen=True):
    """The file of the topics is invalid."""

    says_all: ClassVar[bool] = False


# Lessons from answers.


class FewAnswers(Fault, frozen=True):
    """There are `n` answers to learn from."""

    n: int
    needed: int


class AnswersChangeNothing(Fault, frozen=True):
    """The answers change nothing about other pages."""


class LessonOutdated(Fault, frozen=True):
    """The topics were learned again since the lesson was estimated, or it has been applied."""


class LessonBusy(Fault, frozen=True):
    """Another process works on the lesson."""


class NoLesson(Fault, frozen=True):
    """There is no such lesson."""


class NothingToUndo(Fault, frozen=True):
    """There is nothing to undo."""


# Organising.


class NothingToFilter(Fault, frozen=True):
    """There are no pages to filter."""


class FewToSplit(Fault, frozen=True):
    """A topic has `n` pages of its own with words."""

    topic: str
    n: int
    needed: int


class NotToldApart(Fault, frozen=True):
    """The pages of a topic cannot be separated."""

    topic: str


class SplitNumber(Fault, frozen=True):
    """So many `pages` cannot be split into `number` groups, only into `most`."""

    pages: int
    number: int
    most: int


class OwnTopic(Fault, frozen=True):
    """A topic has the name that is reserved for hidden pages."""

    name: str


class NoPeerMatches(Fault, frozen=True):
    """No peer has a topic that matches the given one."""

    topic: str


# Crawls.


class NoStartPages(Fault, frozen=True):
    """There are no pages to start from."""


class NoPages(Fault, frozen=True):
    """There are no stored pages."""


class NothingToResume(Fault, frozen=True):
    """There is no crawl that could continue."""


class BudgetSpent(Fault, frozen=True):
    """A crawl has reached its budget of `pages`."""

    pages: int


class CrawlUnfinished(Fault, frozen=True):
    """The last crawl can continue: it has `n` pages and so many `waiting` links."""

    n: int
    waiting: int


class NoContact(Fault, frozen=True):
    """Public pages, such as those of `host`, would be crawled without a contact."""

    host: str


class PrivateStart(Fault, frozen=True):
    """A start page is at a private address."""

    host: str


class NoPaths(Fault, frozen=True):
    """A strategy needs paths that were not learned."""


class FewFiles(Fault, frozen=True):
    """The limit on open files is too low."""

    files: int
    needed: int


class DemoEnded(Fault, frozen=True):
    """The web of a demo is gone."""


# Whole websites.


class NoSites(Fault, frozen=True):
    """No topic has a site to learn from."""


class SitesUnread(Fault, frozen=True):
    """None of the sites could be read."""


class SitesFound(Fault, frozen=True):
    """The last run has found `n` sites, and looks for no more."""

    n: int


# Other portals.


class PeerSilent(Fault, frozen=True):
    """Another portal did not answer; `reason` names a failed transfer or its refusal."""

    address: str
    reason: str = ""


class OwnAddress(Fault, frozen=True):
    """The address is that of the portal itself."""


class PeerBlocked(Fault, frozen=True):
    """A peer is blocked."""

    name: str


class NoPeer(Fault, frozen=True):
    """There is no such peer, or there are several."""

    name: str


class NotAnAddress(Fault, frozen=True):
    """This is not the address or the key of a portal."""

    name: str


class KeyUnusable(Fault, frozen=True):
    """The key of the portal cannot be read."""

    says_all: ClassVar[bool] = False


FAULTS: Final = {str(fault.__struct_config__.tag): fault for fault in Fault.__subclasses__()}
"""All faults by their names."""


def fault_from(told: Any) -> Fault | None:
    """Return a fault from data; None for one that this program does not know.

    >>> fault_from({"kind": "few-answers", "n": 3, "needed": 5})
    FewAnswers(n=3, needed=5)
    >>> fault_from({"kind": "unheard-of"}), fault_from({"kind": "few-answers"}), fault_from(None)
    (None, None, None)
    """
    known = FAULTS.get(str(told.get("kind"))) if isinstance(told, dict) else None
    try:
        return msgspec.convert(told, known) if known is not None else None
    except msgspec.ValidationError:
        return None
