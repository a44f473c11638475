"""Explains why a value does not fit a setting, in the reader's language."""

import re
from typing import Any, Final

_LIMIT: Final = r"\s(?P<limit>[\d.e+-]+)\.$"
FAULTS: Final = (
    (re.compile(r"valid integer"), "setting.whole"),
    (re.compile(r"(?:valid|finite) number"), "setting.number"),
    (re.compile(r"valid boolean"), "setting.boolean"),
    (re.compile(r"valid string"), "setting.text"),
    (re.compile(r"valid (?:list|tuple|set|array)"), "setting.list"),
    (re.compile(r"valid (?:dictionary|mapping)"), "setting.table"),
    (re.compile(rf"greater\sthan\sor\sequal\sto{_LIMIT}"), "setting.least"),
    (re.compile(rf"less\sthan\sor\sequal\sto{_LIMIT}"), "setting.most"),
    (re.compile(rf"greater\sthan{_LIMIT}"), "setting.above"),
    (re.compile(rf"less\sthan{_LIMIT}"), "setting.below"),
    (re.compile(r"should be (?P<choices>'.+')\.$"), "setting.choice"),
)
"""Patterns of pydantic's error messages, and our message for each."""


def fault_of(sentence: str) -> tuple[str, dict[str, Any]] | None:
    """Return the message key and placeholders for a validation error, or None if there is no message.

    >>> fault_of("The setting crawl.pages = -1 is invalid: it should be greater than or equal to 0.")
    ('setting.least', {'limit': '0'})
    """
    for pattern, message in FAULTS:
        found = pattern.search(sentence)
        if found is not None:
            return message, found.groupdict()
    return None
