"""Explains in the reader's language why work failed, and what to do about it in the portal.

Commands report an error in one sentence, and name other commands as the remedy. The administrator of a portal has no
terminal, so known sentences are reworded for the portal; others are shown unchanged below a general message.
"""

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

FAULTS: Final = (
    (re.compile(r"There\sare\s(?P<n>\d+)\sanswers\sto\slearn\sfrom;\s(?P<needed>\d+)\sare\sneeded"), "few_answers"),
    (re.compile(r"answers\schange\snothing\sabout\sother\spages"), "no_change"),
    (re.compile(r"retrained\ssince\sthis\sestimate"), "retrained"),
    (re.compile(r"Another\sprocess\sis\sworking\son\sthis\slesson"), "lesson_busy"),
    (
        re.compile(r"The\stopic\s'(?P<topic>.+?)'\shas\sno\susable\straining\spage:\sits\spages\sare\sat\sprivate"),
        "private_topic",
    ),
    (re.compile(r"The\stopic\s'(?P<topic>.+?)'\shas\sno\susable\straining\spage"), "no_training_page"),
    (re.compile(r"has\sno\spages\sto\sfilter"), "nothing_to_filter"),
    (re.compile(r"^(?P<topic>.+)\shas\s(?P<n>\d+)\spages\sof\sits\sown\swith\swords\sto\scompare"), "few_to_split"),
    (re.compile(r"^The\spages\sof\s(?P<topic>.+)\scannot\sbe\sseparated\sinto\sgroups"), "not_told_apart"),
    (re.compile(r"^(?P<pages>[\d,]+)\spages\scannot\sbe\ssplit\sinto\s(?P<number>\d+)"), "split_number"),
    (re.compile(r"^There\sis\sno\s\w+\sto\sundo"), "nothing_to_undo"),
    (re.compile(r"has\sno\scrawl\sto\sresume|is\sfinished:\snothing\sis\squeued"), "nothing_to_resume"),
    (re.compile(r"requires\sa\scontact"), "no_contact"),
    (re.compile(r"is\sa\sprivate\saddress"), "private"),
    (re.compile(r"has\sno\stopics\."), "no_topics"),
    (re.compile(r"has\snot\sbeen\strained"), "untrained"),
    (re.compile(r"has\sno\sstart\spages"), "no_start_pages"),
    (re.compile(r"has\sno\spages\sto\scheck|There\sare\sno\spages\sto\sclassify"), "no_pages"),
    (re.compile(r"has\sno\ssites\sto\slearn\sfrom"), "no_sites"),
    (re.compile(r"None\sof\sthe\ssites\sin\s.+\scould\sbe\sread"), "sites_unread"),
    (re.compile(r"a\stopic\sof\sits\sown\scalled\s(?P<name>.+?)\.$"), "own_topic"),
)
"""Patterns of command errors that can occur in a portal, and the message for each."""

REASONS: Final = ("settings", "portal-busy", "portal-full")
"""Reasons of other errors that have their own message."""


class WorkFault(Struct, frozen=True):
    """Why work failed: a message name, its placeholders, and the sentence of the command."""

    message: str
    places: dict[str, Any]
    sentence: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the message says everything that the sentence of the command says."""
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
    """Return why work failed from the end of its log, or None if the log does not say.

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
