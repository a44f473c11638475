"""Words and stems, languages, signatures; knows no URL and no page."""

from thresher.text.stems import count_stems, stem
from thresher.text.stop_words import stop_words

__all__ = ["count_stems", "stem", "stop_words"]
