"""Dates in URLs, to recognise calendars and archives."""

import re
from typing import Final, NamedTuple

_YEAR: Final = r"((?:19|20|21)[0-9]{2})"
_ANY_YEAR: Final = re.compile(_YEAR)
_MONTH: Final = r"(0[1-9]|1[0-2])"
_DAY: Final = r"(0[1-9]|[12][0-9]|3[01])"
_PARTED: Final = re.compile(rf"(?<![0-9%]){_YEAR}([-/_.]){_MONTH}(?:\2{_DAY})?(?![0-9])")
_JOINED: Final = re.compile(rf"(?<![0-9%]){_YEAR}(){_MONTH}(?:{_DAY})?(?![0-9])")
# Digits without a separator count as a date only if the URL mentions a calendar.
_CALENDAR: Final = re.compile(
    r"[/?&_.-](?:cal|calendar|kalender|events?|months?|monat|days?|date|datum|weeks?|termine?|agenda)[/?&=_.-]",
    re.IGNORECASE,
)
_IN_QUERY: Final = re.compile(
    r"(?<=[?&])(?:(?P<year>y|yr|year|jahr|annee|anno)=(?P<y>(?:19|20|21)[0-9]{2})"
    r"|(?P<month>m|mo|mon|month|monat|mois|mes)=(?P<m>0?[1-9]|1[0-2])"
    r"|(?P<day>d|day|tag|jour|dia)=(?P<d>0?[1-9]|[12][0-9]|3[01]))(?=&|$)",
    re.IGNORECASE,
)


class UrlDate(NamedTuple):
    """A date in a URL; `shape` is the URL with the date removed, `day` is 0 if there is only a month."""

    shape: str
    year: int
    month: int
    day: int

    @property
    def months(self) -> int:
        """Months since the year 0."""
        return self.year * 12 + self.month - 1


def date_in(url: str) -> UrlDate | None:
    """Return the date in the path or query of a URL, or None if there is none.

    >>> date_in("http://a.test/calendar/2024/05")
    UrlDate(shape='http://a.test/calendar/{}', year=2024, month=5, day=0)
    >>> date_in("http://a.test/?year=2024&month=5&view=list").shape
    'http://a.test/?year={}&month={}&view=list'
    """
    # Most URLs have no year, and every date has one.
    if _ANY_YEAR.search(url) is None:
        return None
    found = _PARTED.search(url)
    if found is None and _CALENDAR.search(url):
        found = _JOINED.search(url)
    if found is not None:
        shape = f"{url[: found.start()]}{{}}{url[found.end() :]}"
        return UrlDate(shape, int(found[1]), int(found[3]), int(found[4] or 0))
    return _from_query(url) if "=" in url else None


def _from_query(url: str) -> UrlDate | None:
    """Return a date whose parts are separate parameters."""
    parts: dict[str, int] = {}

    def take(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        parts[kind] = int(match[kind])
        return match[0][: -len(match[kind])] + "{}"

    shape = _IN_QUERY.sub(take, url)
    return UrlDate(shape, parts["y"], parts["m"], parts.get("d", 0)) if "y" in parts and "m" in parts else None
