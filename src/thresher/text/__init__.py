"""Words and stems; knows no URL and no page."""

from thresher.text.stems import count_stems, stem, stems_of, stop_words

__all__ = ["count_stems", "stem", "stems_of", "stop_words"]
