"""Explains in the reader's language why work failed, and what to do about it in the portal.

Commands report an error in one sentence, and name other commands as the remedy. The administrator of a portal has no
terminal, so the portal says it in its own words, by the fault that the error carries. If an error has none, its
sentence is shown below a general message.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from thresher.errors import ErrorData, PortalBusy, PortalFull
from thresher.faults import Fault, Rule, SettingUnfit
from thresher.peers.messages import Refusal
from thresher.peers.using import Unusable
from thresher.reasons import Reason
from thresher.work_faults import PeerSilent, fault_from

_BY_REASON: Final = {error.reason: error.fault for error in (PortalBusy, PortalFull)}
"""Faults of errors that were told without one, by an earlier program."""

_LINES: Final = 20
"""Lines at the end of a log among which an error can be."""


class PortalMessage(Struct, frozen=True):
    """The name of a message, and the values for its placeholders."""

    message: str
    places: dict[str, Any]


class WorkFault(Struct, frozen=True):
    """How an error is shown: one or two messages, and its own sentence if these leave something out."""

    parts: tuple[PortalMessage, ...]
    sentence: str = ""


def fault_of(told: ErrorData) -> WorkFault:
    """Return how an error is shown.

    >>> fault_of(ErrorData("Too few.", fault={"kind": "few-answers", "n": 3, "needed": 5})).parts[0]
    PortalMessage(message='fault.few-answers', places={'n': 3, 'needed': 5})
    >>> fault_of(ErrorData("Something else.")).sentence
    'Something else.'
    """
    fault = fault_from(told.fault) or _BY_REASON.get(told.reason)
    if fault is None:
        return WorkFault((PortalMessage("fault.other", {}),), told.error)
    said = PortalMessage(f"fault.{fault.kind}", fault.values)
    rule = peer_part(fault.reason) if isinstance(fault, PeerSilent) else rule_of(fault)
    says_all = fault.says_all and (rule is not None or not isinstance(fault, SettingUnfit | PeerSilent))
    return WorkFault((said, rule) if rule else (said,), "" if says_all else told.error)


def fault_in(report: Mapping[str, Any]) -> WorkFault | None:
    """Return why work on a lesson failed, from its report; None if it did not fail.

    >>> fault_in({"error": "Odd.", "answers": 7}).sentence, fault_in({"answers": 7})
    ('Odd.', None)
    """
    told = {name: value for name, value in report.items() if name in ErrorData.__struct_fields__}
    return fault_of(msgspec.convert(told, ErrorData)) if "error" in told else None


def peer_part(reason: str) -> PortalMessage | None:
    """Return the message for a reason why another portal did not answer; None if the reason is unknown.

    >>> peer_part("unknown-peer"), peer_part("timeout")
    (PortalMessage(message='peer_why.unknown-peer', places={}), PortalMessage(message='why.timeout', places={}))
    """
    if reason in set(Refusal) or reason in set(Unusable):
        return PortalMessage(f"peer_why.{reason}", {})
    return PortalMessage(f"why.{reason}", {}) if reason in set(Reason) else None


def rule_of(fault: Fault | None) -> PortalMessage | None:
    """Return what a value of a setting has to be; None for other faults, or if it cannot be said in a few words.

    >>> rule_of(SettingUnfit("crawl.pages", Rule.LEAST, "0"))
    PortalMessage(message='setting.least', places={'limit': '0'})
    """
    if not isinstance(fault, SettingUnfit) or fault.rule is Rule.OTHER:
        return None
    return PortalMessage(f"setting.{fault.rule}", {"limit": fault.limit})


def error_in(log: str) -> ErrorData | None:
    """Return the error that a log ends with, for work that left nothing but a log; None if there is none.

    >>> error_in("Training: learning 4 topics.\\nError: The portal has no topics.\\nAdd one.").error
    'The portal has no topics.'
    """
    for line in reversed(log.splitlines()[-_LINES:]):
        if line.startswith("{"):
            try:
                return msgspec.json.decode(line, type=ErrorData)
            except msgspec.DecodeError:
                continue
        if line.startswith("Error: "):
            return ErrorData(line.removeprefix("Error: "))
    return None
