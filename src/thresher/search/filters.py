"""Filters of a query as masks over all pages; filters with values unknown to the portal are dropped."""

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec.structs import replace

from thresher.search.columns import Columns, Mask
from thresher.search.parsed import TEXTUAL, Compare, Group, LeftOut, ParsedQuery, Term, TermKind, Why
from thresher.search.query_parser import ANY_TOPIC, NO_TOPIC, number_of, span_of
from thresher.search.sureness import LEVELS, at_level
from thresher.store.protocol import Store
from thresher.text.language import primary
from thresher.web.urls import canonical, host_of, registered_domain, url_id

MOST_LINKS: Final = 100_000
"""Maximum number of pages linking to one page that are considered."""

Similar = Callable[[int], list[int]]
"""Returns the ids of the pages most similar to a stored page."""

_TYPES: Final = {
    "html": ("text/html", "application/xhtml+xml"),
    "htm": ("text/html", "application/xhtml+xml"),
    "pdf": ("application/pdf",),
    "txt": ("text/plain",),
    "text": ("text/plain",),
    "doc": ("application/msword",),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
    "xls": ("application/vnd.ms-excel",),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",),
    "ppt": ("application/vnd.ms-powerpoint",),
    "pptx": ("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
    "odt": ("application/vnd.oasis.opendocument.text",),
    "ods": ("application/vnd.oasis.opendocument.spreadsheet",),
    "odp": ("application/vnd.oasis.opendocument.presentation",),
    "rtf": ("application/rtf", "text/rtf"),
    "epub": ("application/epub+zip",),
}
_SHORT: Final = {mime: short for short, mimes in reversed(_TYPES.items()) for mime in mimes}


def type_name(mime: str) -> str:
    """Return the short name of a MIME type, as used by `filetype:`.

    >>> type_name("application/pdf"), type_name("text/html; charset=x"), type_name("image/png")
    ('pdf', 'html', 'image/png')
    """
    plain = mime.partition(";")[0].strip().lower()
    name = _SHORT.get(plain, plain)
    return "html" if name == "htm" else "txt" if name == "text" else name


def is_filter(part: Term | Group) -> bool:
    """Return whether a part of a query consists of filters only."""
    return part.kind not in TEXTUAL if isinstance(part, Term) else all(map(is_filter, part.parts))


def is_textual(part: Term | Group) -> bool:
    """Return whether a part of a query consists of words only."""
    return part.kind in TEXTUAL if isinstance(part, Term) else all(map(is_textual, part.parts))


class Filters:
    """Builds masks for one state of a portal's columns."""

    def __init__(self, columns: Columns, store: Store, similar: Similar) -> None:
        self._columns = columns
        self._store = store
        self._similar = similar

    def scope(self, query: ParsedQuery) -> Mask:
        """Return the pages to search: all searchable pages if the query names topics, the accepted ones otherwise.

        A portal that has not accepted anything yet is searched as a whole.
        """
        names_topics = any(term.kind is TermKind.TOPIC and not term.negated for term in query.terms())
        searched: Mask = self._columns["searchable"] if names_topics else self._columns.accepted
        return searched

    def mask(self, part: Term | Group) -> Mask:
        """Return which pages pass a part of a query that consists of filters."""
        if isinstance(part, Term):
            found = self._term(part)
        else:
            masks = [self.mask(inner) for inner in part.parts]
            found = np.logical_or.reduce(masks) if part.any else np.logical_and.reduce(masks)
        return ~found if part.negated else found

    def _term(self, term: Term) -> Mask:
        columns, text = self._columns, term.text
        match term.kind:
            case TermKind.SITE:
                wanted = (host_of(canonical(text) or "") or text).lower().rstrip(".")
                return self._named("host", lambda host: host == wanted or registered_domain(host) == wanted)
            case TermKind.TYPE:
                plain = text.lower().lstrip(".")
                mimes = _TYPES.get(plain, (plain,))
                return self._named("mime", lambda mime: mime.partition(";")[0].strip().lower() in mimes)
            case TermKind.LANGUAGE:
                code = primary(text) or text.lower()
                return self._named("language", lambda language: language == code)
            case TermKind.TOPIC:
                return self._topic(text)
            case TermKind.STATE:
                return self._named("state", lambda state: state == text)
            case TermKind.MODEL:
                return self._named("model", lambda model: model.startswith(text))
            case TermKind.CONFIDENCE:
                return _compared(columns["confidence"], term.compare, number_of(text) or 0.0)
            case TermKind.SURE if text in LEVELS:
                return at_level(columns["probability"], text)
            case TermKind.SURE:
                return _compared(columns["probability"], term.compare, number_of(text) or 0.0)
            case TermKind.FOUND:
                return _dated(columns["at"], term)
            case TermKind.CHANGED:
                return _dated(columns["changed"], term)
            case _:
                return self._ids(self._around(term))

    def _named(self, column: str, wanted: Callable[[str], bool]) -> Mask:
        numbers = [number for number, name in enumerate(self._columns.names[column]) if wanted(name)]
        return np.isin(self._columns[column], numbers)

    def _topic(self, text: str) -> Mask:
        if text.lower() == ANY_TOPIC:
            return np.ones(len(self._columns), np.bool_)
        if text.lower() == NO_TOPIC:
            return np.asarray(self._columns["topic"] < 0)
        paths = topics_named(self._columns, text)
        return self._named("topic", lambda path: any(path == one or path.startswith(f"{one}/") for one in paths))

    def _around(self, term: Term) -> list[int]:
        id_ = url_id(_address(term.text) or "")
        if term.kind is TermKind.LINKS_TO:
            return [source for source, _ in self._store.graph.inlinks([id_], MOST_LINKS)[id_]]
        if term.kind is TermKind.LINKED_FROM:
            return self._store.search_feed.targets([id_]).get(id_, [])
        return self._similar(id_)

    def _ids(self, ids: list[int]) -> Mask:
        found = np.zeros(len(self._columns), np.bool_)
        rows = self._columns.rows(ids)
        found[rows[rows >= 0]] = True
        return found

    def bound(self, query: ParsedQuery) -> ParsedQuery:
        """Return a query without the filters that name a topic or page unknown to the portal."""
        left_out: list[LeftOut] = []
        root = self._bound(query.root, left_out)
        if not left_out:
            return query
        group = root if isinstance(root, Group) else Group(() if root is None else (root,))
        return replace(query, root=group, left_out=(*query.left_out, *left_out))

    def _bound(self, part: Term | Group, left_out: list[LeftOut]) -> Term | Group | None:
        if isinstance(part, Term):
            why = self._unknown(part)
            if why is not None:
                left_out.append(LeftOut(f"{'-' if part.negated else ''}{part.kind}:{part.text}", why))
            return part if why is None else None
        inner = [kept for inside in part.parts if (kept := self._bound(inside, left_out)) is not None]
        return Group(tuple(inner), part.any, part.negated) if inner else None

    def _unknown(self, term: Term) -> Why | None:
        if term.kind is TermKind.TOPIC and term.text.lower() not in (ANY_TOPIC, NO_TOPIC):
            return None if topics_named(self._columns, term.text) else Why.UNKNOWN_TOPIC
        if term.kind not in (TermKind.LINKS_TO, TermKind.LINKED_FROM, TermKind.SIMILAR):
            return None
        address = _address(term.text)
        if address is None:
            return Why.NOT_AN_ADDRESS
        known = term.kind is TermKind.LINKS_TO or self._columns.rows([url_id(address)])[0] >= 0
        return None if known else Why.UNKNOWN_PAGE


def topics_named(columns: Columns, text: str) -> list[str]:
    """Return the topics that a text names, by their full path or the end of it, ignoring case.

    This also finds topics that have no pages of their own but have subtopics with pages.
    """
    wanted = text.strip("/").lower()
    ways = {way for path in columns.names["topic"] for way in _ways(path)}
    whole = [way for way in ways if way.lower() == wanted]
    return sorted(whole or [way for way in ways if way.lower().endswith(f"/{wanted}")])


def _ways(path: str) -> list[str]:
    names = path.split("/")
    return ["/".join(names[:end]) for end in range(1, len(names) + 1)]


def _address(text: str) -> str | None:
    return canonical(text if "://" in text else f"http://{text}")


def _compared(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], compare: Compare, wanted: float) -> Mask:
    with np.errstate(invalid="ignore"):
        match compare:
            case Compare.LESS:
                found = values < wanted
            case Compare.AT_MOST:
                found = values <= wanted
            case Compare.EQUAL:
                found = np.isclose(values, wanted, rtol=0.0, atol=0.005)
            case Compare.AT_LEAST:
                found = values >= wanted
            case _:
                found = values > wanted
    return np.asarray(found, np.bool_)


def _dated(times: np.ndarray[tuple[int, ...], np.dtype[np.float64]], term: Term) -> Mask:
    begin, end = span_of(term.text) or (0.0, 0.0)
    match term.compare:
        case Compare.LESS:
            return _compared(times, Compare.LESS, begin)
        case Compare.AT_MOST:
            return _compared(times, Compare.LESS, end)
        case Compare.AT_LEAST:
            return _compared(times, Compare.AT_LEAST, begin)
        case Compare.MORE:
            return _compared(times, Compare.AT_LEAST, end)
        case _:
            return _compared(times, Compare.AT_LEAST, begin) & _compared(times, Compare.LESS, end)
