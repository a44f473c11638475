"""Describes in the reader's language how a query was understood."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from thresher.portal.messages import Messages
from thresher.search.parsed import Compare, Group, LeftOut, ParsedQuery, Term, TermKind
from thresher.search.sureness import LEVELS

_WORDS: Final = frozenset([TermKind.WORD, TermKind.EXACT, TermKind.PREFIX, TermKind.PHRASE])
_FILTERS: Final = {
    TermKind.TITLE: "title",
    TermKind.ADDRESS: "address",
    TermKind.SITE: "site",
    TermKind.TYPE: "type",
    TermKind.LANGUAGE: "language",
    TermKind.TOPIC: "topic",
    TermKind.CONFIDENCE: "confidence",
    TermKind.SURE: "sure",
    TermKind.FOUND: "found_",
    TermKind.CHANGED: "changed",
    TermKind.STATE: "state",
    TermKind.LINKS_TO: "links_to",
    TermKind.LINKED_FROM: "linked_from",
    TermKind.SIMILAR: "similar",
    TermKind.MODEL: "model",
}
_COMPARED: Final = {
    Compare.LESS: "less",
    Compare.AT_MOST: "at_most",
    Compare.EQUAL: "equal",
    Compare.AT_LEAST: "at_least",
    Compare.MORE: "more",
}


def understood(messages: Messages, query: ParsedQuery, total: int, *, exact: bool = True) -> Markup:
    """Return one sentence: how many pages were found, and what they have.

    >>> from thresher.portal.messages import messages_in
    >>> from thresher.search.query_parser import parse
    >>> print(understood(messages_in("en"), parse('"heat pump" noise -forum site:a.test'), 214))
    <b>214 pages</b> with <b>“heat pump”</b> and <b>noise</b>, without <b>forum</b>, on the site <b>a.test</b>.
    """
    key = "told.none" if not total else "told.found" if exact else "told.about"
    return Markup("{} {}.").format(messages.say(key, n=total), _all(messages, query.root)).replace(" .", ".")


def left_out(messages: Messages, parts: Sequence[LeftOut]) -> list[Markup]:
    """Return a sentence for each ignored part of a query."""
    return [
        messages.say("told.left_out", text=part.text, why=messages.say(f"told.why_{part.why.value.replace('-', '_')}"))
        for part in parts
    ]


def _all(messages: Messages, group: Group) -> Markup:
    """Describe a group whose parts are all required: first the words, then the rest."""
    parts = [part for part in group.parts if not _is_any_topic(part)]
    plain = [part for part in parts if isinstance(part, Term) and part.kind in _WORDS]
    having = _listed(messages, [_word(messages, part) for part in plain if not part.negated], "told.and")
    lacking = _listed(messages, [_word(messages, part) for part in plain if part.negated], "told.or")
    told = [messages.say("told.with", what=having) if having else Markup()]
    told.append(messages.say("told.without", what=lacking) if lacking else Markup())
    told += [_part(messages, part) for part in parts if part not in plain]
    return Markup(", ").join(filter(None, told))


def _is_any_topic(part: Term | Group) -> bool:
    return isinstance(part, Term) and part.kind is TermKind.TOPIC and part.text.lower() == "any"


def _listed(messages: Messages, parts: list[Markup], key: str) -> Markup:
    if len(parts) < 2:
        return parts[0] if parts else Markup()
    return messages.say(key, first=Markup(", ").join(parts[:-1]), last=parts[-1])


def _word(messages: Messages, term: Term) -> Markup:
    key = {TermKind.PHRASE: "told.phrase", TermKind.PREFIX: "told.prefix", TermKind.EXACT: "told.exact"}.get(
        term.kind, "told.word"
    )
    return messages.say(key, text=term.text)


def _part(messages: Messages, part: Term | Group) -> Markup:
    if isinstance(part, Term):
        told = _filter(messages, part)
    elif part.any:
        told = _listed(messages, [_alternative(messages, inner) for inner in part.parts], "told.or")
    else:
        told = _all(messages, part)
    return messages.say("told.not", what=told) if part.negated else told


def _alternative(messages: Messages, part: Term | Group) -> Markup:
    if isinstance(part, Term) and part.kind in _WORDS:
        return messages.say("told.without" if part.negated else "told.with", what=_word(messages, part))
    return _part(messages, part)


def _filter(messages: Messages, term: Term) -> Markup:
    if term.kind in _WORDS:
        return messages.say("told.with", what=_word(messages, term))
    if term.kind is TermKind.TOPIC and term.text.lower() == "none":
        return messages.say("told.no_topic")
    name = _FILTERS[term.kind]
    if term.kind is TermKind.SURE and term.text in LEVELS:
        return messages.say("told.sure_level", what=messages.say(f"sure.{term.text}"))
    if term.kind in (TermKind.FOUND, TermKind.CHANGED, TermKind.CONFIDENCE, TermKind.SURE):
        scale = "number" if term.kind in (TermKind.CONFIDENCE, TermKind.SURE) else "day"
        compared = messages.say(f"told.{scale}_{_COMPARED[term.compare]}", text=term.text)
        return messages.say(f"told.{name}", what=compared)
    text = (
        messages.say(f"state.{term.text}")
        if term.kind is TermKind.STATE and messages.has(f"state.{term.text}")
        else term.text
    )
    return messages.say(f"told.{name}", text=text)
