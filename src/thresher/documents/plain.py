"""Reads plain text."""

from thresher.documents.html import LONGEST_WORDS, Markup
from thresher.documents.passages import first_words, plain_passages
from thresher.documents.titles import MAX_TITLE, tidy_title
from thresher.text.words import words


def read_plain(text: str, max_words: int = 200_000) -> Markup:
    """Read plain text up to the word limit; the first non-blank line is used as the title.

    >>> page = read_plain("\\n On boats\\n\\nBoats float.")
    >>> page.title, page.words, page.text
    ('On boats', ['On', 'boats', 'Boats', 'float'], 'On boats\\nBoats float.')
    """
    text = text[: max_words * LONGEST_WORDS].replace("\0", "\ufffd")
    first = text.lstrip()[:MAX_TITLE].partition("\n")[0]
    return Markup(tidy_title(first), words(text)[:max_words], [], text=first_words(plain_passages(text), max_words))
