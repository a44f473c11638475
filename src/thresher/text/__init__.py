"""Words and stems, languages, signatures; no URLs, no pages."""

from thresher.text.stems import count_stems, stem, stems_of
from thresher.text.stop_words import stop_words

__all__ = ["count_stems", "stem", "stems_of", "stop_words"]
