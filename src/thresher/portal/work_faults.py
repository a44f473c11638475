"""Why work has failed, in the reader's language and with what to do about it in the portal.

Commands say what they cannot do in one sentence, and name other commands as the remedy. A keeper has no terminal, so
that known sentences are said again in the portal's own words; others are shown as they are, below a general one.
"""

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

FAULTS: Final = (
    (re.compile(r"There are (?P<n>\d+) answers to learn from; (?P<needed>\d+) are needed"), "few_answers"),
    (re.compile(r"answers change nothing about other pages"), "no_change"),
    (re.compile(r"retrained since this estimate"), "retrained"),
    (re.compile(r"Another process works on this lesson"), "lesson_busy"),
    (
        re.compile(r"The topic '(?P<topic>.+?)' is left without a training page: its pages are at private"),
        "private_topic",
    ),
    (re.compile(r"The topic '(?P<topic>.+?)' is left without a training page"), "no_training_page"),
    (re.compile(r"has no pages to filter"), "nothing_to_filter"),
    (re.compile(r"^(?P<topic>.+) has (?P<n>\d+) pages of its own with words to compare"), "few_to_split"),
    (re.compile(r"^The pages of (?P<topic>.+) cannot be told apart"), "not_told_apart"),
    (re.compile(r"^(?P<pages>[\d,]+) pages cannot be split into (?P<number>\d+)"), "split_number"),
    (re.compile(r"^There is no \w+ to undo"), "nothing_to_undo"),
    (re.compile(r"has no crawl to resume|is finished: nothing is queued"), "nothing_to_resume"),
    (re.compile(r"requires a contact"), "no_contact"),
    (re.compile(r"is a private address"), "private"),
    (re.compile(r"has no topics\."), "no_topics"),
    (re.compile(r"has not been trained"), "untrained"),
    (re.compile(r"has no start pages"), "no_start_pages"),
    (re.compile(r"has no pages to check|There are no pages to classify"), "no_pages"),
    (re.compile(r"has no sites to learn from"), "no_sites"),
    (re.compile(r"None of the sites in .+ could be read"), "sites_unread"),
    (re.compile(r"a topic of its own called (?P<name>.+?)\.$"), "own_topic"),
)
"""The sentences of commands that a keeper can meet, and the message for each."""

REASONS: Final = ("settings", "portal-busy", "portal-full")
"""Reasons of other errors that have a message of their own."""


class WorkFault(Struct, frozen=True):
    """Why work has failed: the name of a message, what fills its places, and the sentence of the command.

    `is_known` tells whether the message says it all.
    """

    message: str
    places: dict[str, Any]
    sentence: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the message says what the sentence of the command says."""
        return self.message != "fault.other"


def fault_of(sentence: str, reason: str = "") -> WorkFault:
    """Return the message for the sentence of an error.

    >>> fault_of("There are 3 answers to learn from; 5 are needed.").places
    {'n': 3, 'needed': 5}
    >>> fault_of("Something else.").message
    'fault.other'
    """
    for pattern, name in FAULTS:
        found = pattern.search(sentence)
        if found is not None:
            return WorkFault(f"fault.{name}", _places(found.groupdict()), sentence)
    return WorkFault(f"fault.{reason}" if reason in REASONS else "fault.other", {}, sentence)


def fault_in(log: str) -> WorkFault | None:
    """Return why work has failed by the end of its log; None where it does not say.

    >>> fault_in("Training: learning 4 topics.\\nError: The portal has no topics.\\nAdd one.").message
    'fault.no_topics'
    """
    for line in reversed(log.splitlines()[-20:]):
        if line.startswith("{"):
            try:
                told = msgspec.json.decode(line, type=dict[str, str])
            except msgspec.DecodeError:
                continue
            if "error" in told:
                return fault_of(told["error"], told.get("reason", ""))
        if line.startswith("Error: "):
            return fault_of(line.removeprefix("Error: "))
    return None


def _places(found: dict[str, str]) -> dict[str, Any]:
    return {name: int(value) if name in ("n", "needed") else value for name, value in found.items()}
