"""Why a value does not fit a setting, in the reader's language."""

import re
from typing import Any, Final

FAULTS: Final = (
    (re.compile(r"it should be a valid integer"), "setting.whole"),
    (re.compile(r"it should be a valid number"), "setting.number"),
    (re.compile(r"it should be a finite number"), "setting.number"),
    (re.compile(r"it should be a valid boolean"), "setting.boolean"),
    (re.compile(r"it should be a valid string"), "setting.text"),
    (re.compile(r"it should be a valid (?:list|tuple|set|array)"), "setting.list"),
    (re.compile(r"it should be a valid (?:dictionary|mapping)"), "setting.table"),
    (re.compile(r"it should be greater than or equal to (?P<limit>[\d.e+-]+)\.$"), "setting.least"),
    (re.compile(r"it should be less than or equal to (?P<limit>[\d.e+-]+)\.$"), "setting.most"),
    (re.compile(r"it should be greater than (?P<limit>[\d.e+-]+)\.$"), "setting.above"),
    (re.compile(r"it should be less than (?P<limit>[\d.e+-]+)\.$"), "setting.below"),
    (re.compile(r"it should be (?P<choices>'.+')\.$"), "setting.choice"),
)
"""What the check of a value says, and the message for it."""


def fault_of(sentence: str) -> tuple[str, dict[str, Any]] | None:
    """Return the message for what the check of a value says, with what fills its places; None where there is none.

    >>> fault_of("The setting crawl.pages = -1 on the command line is invalid: it should be greater than or equal to 0.")
    ('setting.least', {'limit': '0'})
    """
    for pattern, message in FAULTS:
        found = pattern.search(sentence)
        if found is not None:
            return message, found.groupdict()
    return None
