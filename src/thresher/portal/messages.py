"""The message catalogues: every sentence of the portal, in each of its languages."""

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from babel import Locale
from babel.numbers import get_decimal_symbol, get_group_symbol
from markupsafe import Markup, escape

LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""The languages of the portal with their own names."""

FALLBACK: Final = "en"

_REMEMBERED: Final = 1024
_LOCALES: Final = {"en": "en_GB"}
"""Locales for dates and numbers, if different from the language code."""


class Messages:
    """The messages of one language.

    A message is a text with placeholders in braces. If its form depends on a number, it is a table of plural forms,
    chosen by `n`; it may have one for `zero`. Messages are our own and may contain a few tags;
    inserted values are escaped.

    >>> messages = messages_in("en")
    >>> messages.say("count.pages", n=1234)
    Markup('1,234 pages')
    """

    def __init__(self, language: str, texts: Mapping[str, str | Mapping[str, str]]) -> None:
        self.language = language
        self.locale = Locale.parse(_LOCALES.get(language, language))
        self._texts = texts
        self._plural = lru_cache(_REMEMBERED, typed=True)(self.locale.plural_form)
        # Babel takes a tenth of a millisecond per number, and a page has a hundred.
        separators = {",": get_group_symbol(self.locale), ".": get_decimal_symbol(self.locale)}
        self._separators = {} if all(a == b for a, b in separators.items()) else str.maketrans(separators)
        self._plain = {
            key: Markup(text)  # noqa: S704 - the catalogue is ours
            for key, text in texts.items()
            if isinstance(text, str) and "{" not in text
        }

    def say(self, key: str, **values: Any) -> Markup:
        """Return a message with its placeholders filled; raises KeyError if it is not in the catalogue."""
        if key in self._plain:
            return self._plain[key]
        text = self._texts[key]
        if not isinstance(text, str):
            form = "zero" if values["n"] == 0 and "zero" in text else self._plural(values["n"])
            text = text.get(form) or text["other"]
        # All values are escaped, so the much slower formatting of markup, which escapes, is not needed.
        filled = {name: self._shown(value) for name, value in values.items()}
        return Markup(text.format(**filled))  # noqa: S704 - the catalogue is ours

    def _shown(self, value: Any) -> Markup:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return escape(value)
        return escape(self.number(value))

    def number(self, value: float, digits: int | None = None) -> str:
        """Return a number formatted for the language; `digits` is the number of decimals, by default as few as needed.

        >>> messages_in("de").number(1234.5), messages_in("en").number(0.126, 2)
        ('1.234,5', '0.13')
        """
        written = f"{value:,}" if digits is None else f"{value:,.{digits}f}"
        if digits is None and isinstance(value, float):
            written = written.removesuffix(".0")
        return written.translate(self._separators) if self._separators else written

    def has(self, key: str) -> bool:
        """Return whether the catalogue has a message."""
        return key in self._texts

    def keys(self) -> set[str]:
        """Return the names of all messages."""
        return set(self._texts)

    def forms(self, key: str) -> list[str]:
        """Return the texts of a message, one for each plural form."""
        text = self._texts[key]
        return [text] if isinstance(text, str) else list(text.values())


@cache
def messages_in(language: str) -> Messages:
    """Return the messages of a language from all files in its folder; raises ValueError if a message occurs twice."""
    texts: dict[str, str | Mapping[str, str]] = {}
    folder = resources.files("thresher.portal").joinpath("messages", language)
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        tables = tomllib.loads(file.read_text("utf-8"))
        found = {f"{section}.{key}": text for section, table in tables.items() for key, text in table.items()}
        if twice := texts.keys() & found.keys():
            raise ValueError(f"{file.name}: {', '.join(sorted(twice))}: twice")
        texts |= found
    return Messages(language, texts)


def preferred(accept: str, fallback: str = FALLBACK) -> str:
    """Return the supported language that an Accept-Language header ranks highest.

    >>> preferred("fr, de-AT;q=0.8, en;q=0.7"), preferred("fr"), preferred("de;q=nonsense, en")
    ('de', 'en', 'en')
    """
    liked: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept[:500].split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            quality = 0.0
        language = tag.partition("-")[0].lower()
        if language in LANGUAGES and quality > 0:
            liked.append((-quality, place, language))
    return min(liked)[2] if liked else fallback
