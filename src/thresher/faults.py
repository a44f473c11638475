"""Reasons why something cannot be done, with the values a message needs: the portal, its files, its settings.

An error has an English sentence for the terminal. The web portal shows the error in the reader's language instead, by
its fault. `work_faults.py` has the faults of long work, and the list of all. A new fault needs a message in every
language of the portal; a test checks that.
"""

from enum import StrEnum
from typing import Any, ClassVar

import msgspec
from msgspec import Struct


def _kind(name: str) -> str:
    """Return the name of a fault by the name of its class.

    >>> _kind("FewAnswers")
    'few-answers'
    """
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Fault(Struct, frozen=True, tag=_kind, tag_field="kind"):
    """Why work cannot be done; `says_all` is False if the error's sentence adds something, such as a cause.

    >>> UnknownSetting(setting="crawl.page").kind, UnknownSetting(setting="crawl.page").values
    ('unknown-setting', {'setting': 'crawl.page'})
    """

    says_all: ClassVar[bool] = True

    @property
    def kind(self) -> str:
        """Its name."""
        return str(type(self).__struct_config__.tag)

    @property
    def values(self) -> dict[str, Any]:
        """The values for the placeholders of its message."""
        return msgspec.structs.asdict(self)


class PortalInUse(Fault, frozen=True):
    """Other work holds the portal, or a file of it."""


class DiskFull(Fault, frozen=True):
    """The disk of the portal is full."""


class DiskReadOnly(Fault, frozen=True):
    """The disk of the portal can only be read."""


class FilesUnusable(Fault, frozen=True):
    """Files of the portal cannot be used, or too many are open."""

    says_all: ClassVar[bool] = False


class PortalUnusable(Fault, frozen=True):
    """There is no portal, or this program cannot read it."""

    says_all: ClassVar[bool] = False


class SettingsUnreadable(Fault, frozen=True):
    """The file of the settings is invalid."""

    says_all: ClassVar[bool] = False


class UnknownSetting(Fault, frozen=True):
    """There is no setting of this name, or it was removed."""

    setting: str


class Rule(StrEnum):
    """What a value of a setting has to be."""

    WHOLE = "whole"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    LIST = "list"
    TABLE = "table"
    LEAST = "least"
    MOST = "most"
    ABOVE = "above"
    BELOW = "below"
    CHOICE = "choice"
    HOST = "host"
    ADDRESS = "address"
    HEADER = "header"
    OTHER = "other"


class SettingUnfit(Fault, frozen=True):
    """The value of a setting does not follow a rule; `limit` is the number or the choices that the rule names."""

    setting: str
    rule: Rule = Rule.OTHER
    limit: str = ""


class NoTopic(Fault, frozen=True):
    """There is no such topic."""

    topic: str


class TopicExists(Fault, frozen=True):
    """There is a topic of this name already."""

    topic: str


class TopicIntoItself(Fault, frozen=True):
    """A topic cannot be moved or merged into itself."""

    topic: str


class TopicTooDeep(Fault, frozen=True):
    """A topic would be below more than `most` others."""

    most: int


class QueryUnfit(Fault, frozen=True):
    """There is no query to the database, or more than one."""


class QueryRefused(Fault, frozen=True):
    """A database query asks for something it may not."""


class QueryCostly(Fault, frozen=True):
    """A query to the database took too long, or too much memory."""


class QueryWrong(Fault, frozen=True):
    """A query to the database is wrong, according to the database."""

    says_all: ClassVar[bool] = False


class StrategyUnknown(Fault, frozen=True):
    """There is no strategy of this name, or it cannot be made."""

    says_all: ClassVar[bool] = False

    strategy: str


class StrategyFailed(Fault, frozen=True):
    """A strategy, which may be a user's own, has failed."""

    says_all: ClassVar[bool] = False


class RequestUnfit(Fault, frozen=True):
    """The arguments of a request do not fit together."""

    says_all: ClassVar[bool] = False


class Unforeseen(Fault, frozen=True):
    """An unexpected error."""

    says_all: ClassVar[bool] = False
