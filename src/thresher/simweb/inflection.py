"""English inflection: plurals, the forms of regular verbs, and the article before a word."""

import re
from typing import Final

_SHORT: Final = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
_ONE_SYLLABLE_E: Final = ("ee", "ye", "oe")
_SPOKEN_WITH_Y_OR_W: Final = ("unif", "unit", "univ", "use", "eu", "one")
_ARTICLE: Final = re.compile(r"\b([Aa])\(n\) (\w+)")


def plural(noun: str) -> str:
    """Return the plural of a regular noun, or of a compound's last word.

    >>> [plural(noun) for noun in ("buffer tank", "battery", "winch", "tray")]
    ['buffer tanks', 'batteries', 'winches', 'trays']
    """
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def participle(verb: str) -> str:
    """Return the -ing form of a regular verb; further words stay after it.

    >>> [participle(verb) for verb in ("size", "wrap", "bolt down", "tie")]
    ['sizing', 'wrapping', 'bolting down', 'tying']
    """
    head, rest = _split(verb)
    if head.endswith("ie"):
        head = f"{head[:-2]}y"
    elif head.endswith("e") and not head.endswith(_ONE_SYLLABLE_E):
        head = head[:-1]
    else:
        head = _doubled(head)
    return f"{head}ing{rest}"


def past(verb: str) -> str:
    """Return the past tense of a regular verb; further words stay after it.

    >>> [past(verb) for verb in ("size", "wrap", "bolt down", "carry")]
    ['sized', 'wrapped', 'bolted down', 'carried']
    """
    head, rest = _split(verb)
    if head.endswith("e"):
        return f"{head}d{rest}"
    if head.endswith("y") and head[-2] not in "aeiou":
        return f"{head[:-1]}ied{rest}"
    return f"{_doubled(head)}ed{rest}"


def with_articles(text: str) -> str:
    """Return a text in which every "a(n)" is replaced by the article for the next word.

    >>> with_articles("A(n) old house and a(n) unit")
    'An old house and a unit'
    """
    return _ARTICLE.sub(lambda found: f"{_article(found[1], found[2])} {found[2]}", text)


def _article(a: str, word: str) -> str:
    first = word.lower()
    return f"{a}n" if first[0] in "aeiou" and not first.startswith(_SPOKEN_WITH_Y_OR_W) else a


def _split(verb: str) -> tuple[str, str]:
    head, space, rest = verb.partition(" ")
    return head, space + rest


def _doubled(head: str) -> str:
    return head + head[-1] if _SHORT.fullmatch(head) else head
