"""Words and formats that depend on the reader's language: how sure, how many, when, how large."""

import math
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date
from markupsafe import Markup
from msgspec import Struct

from thresher.portal.messages import Messages, messages_in
from thresher.search.sureness import LEVELS

SURE: Final = tuple((name, least, steps) for (name, least), steps in zip(LEVELS.items(), (5, 4, 3, 2), strict=True))
"""The words for certainty: name, minimum calibrated probability, and number of filled steps out of five."""

_KINDS: Final = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "text/plain": "text",
    "application/msword": "word",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "word",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "slides",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "table",
    "application/vnd.oasis.opendocument.text": "word",
    "application/epub+zip": "book",
}

DAY: Final = 86_400.0
_KILO: Final = 1024


class Sureness(Struct, frozen=True):
    """A word for the certainty of a judgement, by message name, and the number of filled steps out of five."""

    name: str
    steps: int


def sureness(probability: float) -> Sureness | None:
    """Return the word for a calibrated probability, or None if there is none.

    >>> sureness(0.95).name, sureness(0.9).name, sureness(0.6).name, sureness(0.2).name
    ('very', 'sure', 'fairly', 'doubtful')
    """
    if math.isnan(probability):
        return None
    return next((Sureness(name, steps) for name, least, steps in SURE if probability >= least), None)


class Wording:
    """Formats for one language; `now` is wall time."""

    def __init__(self, messages: Messages, now: float) -> None:
        self._messages = messages
        self._now = now

    def number(self, value: float, digits: int | None = None) -> str:
        """Return a number formatted for the language, rounded to `digits` decimals."""
        return self._messages.number(value, digits)

    def signed(self, value: float) -> str:
        """Return a number with two decimals and its sign."""
        return ("−" if round(value, 2) < 0 else "+") + self.number(abs(value), 2)

    def day(self, at: float) -> str:
        """Return the day of a wall time, as in 3 Nov 2026."""
        return _written(_day(at), self._messages.language)

    def stated_day(self, stated: str) -> str:
        """Return the day of a date as a server or a file states it; what cannot be read as one stays as it is.

        >>> from thresher.portal.messages import messages_in
        >>> english = Wording(messages_in("en"), 0.0)
        >>> english.stated_day("Mon, 01 Jan 2024 00:00:00 GMT"), english.stated_day("2024-01-31T12:00:00")
        ('1 Jan 2024', '31 Jan 2024')
        >>> english.stated_day("last spring")
        'last spring'
        """
        for read in (datetime.fromisoformat, parsedate_to_datetime):
            try:
                return _written(read(stated.strip()).date(), self._messages.language)
            except (ValueError, OverflowError):
                continue
        return stated

    def ago(self, at: float) -> Markup:
        """Return how long ago a day was: today, yesterday, some days ago, or the date."""
        days = (_day(self._now) - _day(at)).days
        if days < 0 or days > 6:
            return self._messages.say("when.on", day=self.day(at))
        return self._messages.say(("when.today", "when.yesterday", "when.days")[min(days, 2)], n=days)

    def size(self, size: int) -> str:
        """Return a size in bytes in readable form.

        >>> from thresher.portal.messages import messages_in
        >>> Wording(messages_in("en"), 0.0).size(14_400), Wording(messages_in("de"), 0.0).size(2_500_000)
        ('14 KB', '2,4 MB')
        """
        if size < _KILO * _KILO:
            return f"{self.number(max(1, round(size / _KILO)))} KB"
        return f"{self.number(round(size / _KILO / _KILO, 1))} MB"

    def kind(self, mime: str) -> str:
        """Return the kind of document for a MIME type."""
        return str(self._messages.say(f"kind.{_KINDS[mime]}")) if mime in _KINDS else mime

    def language(self, code: str) -> str:
        """Return the name of a language, or its code if it has none."""
        return _language_name(code, self._messages.language)


@lru_cache(maxsize=1024)
def _language_name(code: str, language: str) -> str:
    try:
        name = Locale.parse(code).get_display_name(messages_in(language).locale) if code else None
    except (UnknownLocaleError, ValueError):
        name = None
    return name or code


@lru_cache(maxsize=4096)
def _written(day: date, language: str) -> str:
    return str(format_date(day, format="medium", locale=messages_in(language).locale))


def _day(at: float) -> date:
    return datetime.fromtimestamp(at, UTC).astimezone().date()
