"""Reading plain text."""

from thresher.documents.html import LONGEST_WORDS, MAX_TITLE, Markup
from thresher.text.words import words


def read_plain(text: str, max_words: int = 200_000) -> Markup:
    """Read plain text up to so many words; its first line that is not blank stands for a title.

    >>> read_plain("\\n On boats\\n\\nBoats float.")
    Markup(title='On boats', words=['On', 'boats', 'Boats', 'float'], links=[], metas=(), language='')
    """
    text = text[: max_words * LONGEST_WORDS]
    first = text.lstrip()[:MAX_TITLE].partition("\n")[0]
    return Markup(" ".join(first.split()), words(text)[:max_words], [])
