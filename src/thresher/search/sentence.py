"""Describes in English how a query was understood."""

from typing import Final

from thresher.search.parsed import Compare, Group, LeftOut, ParsedQuery, Term, TermKind, Why
from thresher.search.sureness import LEVELS

REASONS: Final = {
    Why.NOT_A_NUMBER: "not a number",
    Why.NOT_A_DATE: "not a date such as 2026-11-01",
    Why.NOT_A_STATE: "not one of unreviewed, right, moved, irrelevant",
    Why.NOT_AN_ADDRESS: "not an address",
    Why.UNKNOWN_TOPIC: "no such topic",
    Why.UNKNOWN_PAGE: "the portal has no such page",
    Why.NO_WORD: "no word to search for",
    Why.EMPTY: "nothing after the colon",
    Why.TOO_SHORT: "too short to begin a word",
    Why.TOO_MANY: "too many words",
    Why.TOO_DEEP: "too many brackets",
}

_COMPARED: Final = {
    Compare.LESS: "below",
    Compare.AT_MOST: "at most",
    Compare.EQUAL: "of exactly",
    Compare.AT_LEAST: "of at least",
    Compare.MORE: "above",
}
_LEVELS: Final = {"very": "very sure", "sure": "sure", "fairly": "fairly sure", "doubtful": "doubtful"}
_DATED: Final = {
    Compare.LESS: "before",
    Compare.AT_MOST: "up to",
    Compare.EQUAL: "in",
    Compare.AT_LEAST: "since",
    Compare.MORE: "after",
}


def sentence(query: ParsedQuery) -> str:
    """Return a sentence that describes the query, and which parts were ignored and why.

    >>> from thresher.search.query_parser import parse
    >>> sentence(parse("solar cells conf:>abc"))
    'I looked for accepted pages with *solar* and *cells*; `conf:>abc` was ignored: not a number.'
    >>> sentence(parse('"thin film" -site:a.test OR (wind topic:any)'))
    'I looked for pages with "thin film" and either not on the site a.test or (with *wind*).'
    >>> sentence(parse(""))
    'I looked for all accepted pages.'
    """
    scoped = any(term.kind is TermKind.TOPIC for term in query.terms())
    what = "pages" if scoped else "accepted pages"
    told = _all(query.root)
    looked = f"I looked for {what} {told}" if told else f"I looked for all {what}"
    return "; ".join([looked, *map(_left_out, query.left_out)]) + "."


def _left_out(part: LeftOut) -> str:
    return f"`{part.text}` was ignored: {REASONS[part.why]}"


def _all(group: Group) -> str:
    """Describe a group whose parts are all required: first the words, then the rest."""
    parts = [part for part in group.parts if not _is_any_topic(part)]
    plain = [part for part in parts if isinstance(part, Term) and part.kind in _WORDS]
    having = _listed([_word(part) for part in plain if not part.negated], "and")
    lacking = _listed([_word(part) for part in plain if part.negated], "or")
    rest = [_part(part) for part in parts if part not in plain]
    told = [f"with {having}" if having else "", f"without {lacking}" if lacking else "", *rest]
    return " and ".join(filter(None, told))


_WORDS: Final = frozenset([TermKind.WORD, TermKind.EXACT, TermKind.PREFIX, TermKind.PHRASE])


def _is_any_topic(part: Term | Group) -> bool:
    return isinstance(part, Term) and part.kind is TermKind.TOPIC and part.text.lower() == "any"


def _listed(parts: list[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def _word(term: Term) -> str:
    match term.kind:
        case TermKind.PHRASE:
            return f'"{term.text}"'
        case TermKind.PREFIX:
            return f"words that begin with *{term.text}*"
        case TermKind.EXACT:
            return f"exactly *{term.text}*"
        case _:
            return f"*{term.text}*"


def _part(part: Term | Group) -> str:
    if isinstance(part, Term):
        return f"not {_filter(part)}" if part.negated else _filter(part)
    inner = " or ".join(_alternative(inside) for inside in part.parts) if part.any else _all(part)
    told = f"either {inner}" if part.any else f"({inner})"
    return f"not {told if told.startswith('(') else f'({told})'}" if part.negated else told


def _alternative(part: Term | Group) -> str:
    if isinstance(part, Term):
        return f"{'without' if part.negated else 'with'} {_word(part)}" if part.kind in _WORDS else _part(part)
    return _part(part)


def _filter(term: Term) -> str:
    text = term.text
    match term.kind:
        case TermKind.TITLE:
            return f"with *{text}* in the title"
        case TermKind.ADDRESS:
            return f"with *{text}* in the address"
        case TermKind.SITE:
            return f"on the site {text}"
        case TermKind.TYPE:
            return f"of type {text}"
        case TermKind.LANGUAGE:
            return f"in the language {text}"
        case TermKind.TOPIC:
            return "that every topic rejected" if text.lower() == "none" else f"in the topic {text}"
        case TermKind.CONFIDENCE:
            return f"with a confidence {_COMPARED[term.compare]} {text}"
        case TermKind.SURE if text in LEVELS:
            return f"whose topic is {_LEVELS[text]}"
        case TermKind.SURE:
            return f"with a probability {_COMPARED[term.compare]} {text}"
        case TermKind.FOUND:
            return f"found {_DATED[term.compare]} {text}"
        case TermKind.CHANGED:
            return f"changed {_DATED[term.compare]} {text}"
        case TermKind.STATE:
            return "that nobody has reviewed" if text == "unreviewed" else f"reviewed as {text}"
        case TermKind.LINKS_TO:
            return f"that link to {text}"
        case TermKind.LINKED_FROM:
            return f"linked from {text}"
        case TermKind.SIMILAR:
            return f"similar to {text}"
        case TermKind.MODEL:
            return f"judged by the model {text}"
        case _:
            return f"with {_word(term)}"
