"""A folder of texts as bags of stems, for strategies that learn which words go together."""

from collections import Counter
from pathlib import Path
from typing import Final

from thresher.errors import PluginError
from thresher.faults import StrategyFailed
from thresher.text.language import identify
from thresher.text.stems import stems_of
from thresher.text.words import words

MOST: Final = 5000
"""Maximum number of texts read from a folder, the first by name."""

LONGEST: Final = 1 << 20
"""Maximum number of bytes read from a text."""


def texts_in(folder: Path) -> list[Path]:
    """Return the text files (`*.txt`) below a folder; raise PluginError if there is none."""
    found = sorted(path for path in folder.rglob("*.txt") if path.is_file())[:MOST]
    if not found:
        raise PluginError(
            f"There are no text files in '{folder}'.", "Give a folder with files that end in .txt.", StrategyFailed()
        )
    return found


def bags_in(folder: Path) -> list[dict[str, int]]:
    """Return the stems of each text file below a folder; raise PluginError if there is none."""
    return [_bag(path) for path in texts_in(folder)]


def _bag(path: Path) -> dict[str, int]:
    with path.open("rb") as file:
        said = words(file.read(LONGEST).decode("utf-8", "replace"))
    language = identify(said).code or "en"
    return dict(Counter(stem for stems in stems_of(said, language) for stem in stems))
