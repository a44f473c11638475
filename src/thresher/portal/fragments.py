"""HTML fragments that occur many times on a page: addresses, topic links, facet values, score parts.

Templates are several times slower, which would add up to most of the time of a results page. All texts are escaped
here.
"""

from functools import lru_cache
from typing import Final

from markupsafe import Markup, escape

from thresher.portal.ids import topic_address
from thresher.portal.messages import Messages, messages_in
from thresher.portal.wording import Wording

_SUB: Final = ' class="sub"'
_CHOSEN_ONCE: Final = "found"
"""The facet with only one value at a time."""


def escaped(text: str) -> str:
    """Return a text escaped for HTML; as most texts have nothing to escape, much faster than `escape`.

    >>> print(escaped("tea & <pots>"), escaped("tea"))
    tea &amp; &lt;pots&gt; tea
    """
    if "&" in text or "<" in text or ">" in text or '"' in text or "'" in text:
        return escape(text)
    return text


def where(url: str, host: str) -> Markup:
    """Return the line that shows where a page is: its host and the parts of its path.

    >>> print(where("http://a.test/tea/<pots>", "a.test"))
    <div class="where"><b>a.test</b><span>› tea › &lt;pots&gt; </span></div>
    """
    parts = "".join(f"› {part} " for part in path_parts(url))
    return _markup(f'<div class="where"><b>{escaped(host)}</b><span>{escaped(parts)}</span></div>')


def path_parts(url: str) -> list[str]:
    """Return the shortened parts of a URL's path for display.

    >>> path_parts("http://a.test/wiki/Tea%20pots/?q=1"), path_parts("http://a.test/")
    (['wiki', 'Tea%20pots', '?q=1'], [])
    """
    rest = url.partition("://")[2].partition("/")[2]
    return [part[:60] for part in rest.split("/") if part][:6]


def dot(colour: int) -> str:
    """Return a dot in the colour of a topic."""
    return f'<span class="dot c{colour:d}"></span>'


@lru_cache(maxsize=4096)
def topic_link(path: str, name: str, colour: int) -> Markup:
    """Return the link to a topic with its colour.

    >>> print(topic_link("Tea", "Tea & more", 2))
    <a class="topic" href="/t/Tea"><span class="dot c2"></span><bdi>Tea &amp; more</bdi></a>
    """
    return _markup(f'<a class="topic" href="{escape(topic_address(path))}">{dot(colour)}<bdi>{escape(name)}</bdi></a>')


def facet_choice(
    language: str, facet: str, value: str, name: str, count: int, *, chosen: bool, colour: int | None, depth: int
) -> Markup:
    """Return a facet value as a check box or radio button, with its number of results."""
    messages = messages_in(language)
    kind = "radio" if facet == _CHOSEN_ONCE else "checkbox"
    return _markup(
        f'<label{_SUB if depth else ""}><input type="{kind}" name="{escaped(facet)}" value="{escaped(value)}"'
        f"{' checked' if chosen else ''}>{dot(colour) if colour is not None and not depth else ''}"
        f'<span class="e">{facet_label(messages, facet, name)}</span>'
        f'<span class="n num">{messages.number(count)}</span></label>'
    )


def facet_label(messages: Messages, facet: str, name: str) -> Markup:
    """Return the label of a facet value in the reader's language; names from the web are unchanged."""
    return _facet_label(messages.language, facet, name)


@lru_cache(maxsize=4096)
def _facet_label(language: str, facet: str, name: str) -> Markup:
    messages = messages_in(language)
    if facet == "lang":
        return escape(Wording(messages, 0.0).language(name) or name)
    key = f"{'facet' if facet == _CHOSEN_ONCE else facet}.{name}"
    if facet in ("type", "sure", _CHOSEN_ONCE) and messages.has(key):
        return messages.say(key)
    return _markup(f"<bdi>{escape(name)}</bdi>")


@lru_cache(maxsize=8192)
def score_part(language: str, name: str, value: float, weight: float, points: float) -> Markup:
    """Return a score part as a table row: its name, a bar, value times weight, and the points."""
    messages = messages_in(language)
    told = messages.say(f"part.{name}") if messages.has(f"part.{name}") else escape(name)
    width = 100.0 * min(max(value, 0.0), 1.0)
    return _markup(
        f'<tr><td>{told}</td><td><svg class="meter" aria-hidden="true"><rect width="{width:.0f}%" height="100%"/></svg>'
        f'</td><td class="num muted">{messages.number(value, 2)} × {messages.number(weight, 2)}</td>'
        f'<td class="num">{messages.number(points, 3)}</td></tr>'
    )


def _markup(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - every text in it has been escaped
