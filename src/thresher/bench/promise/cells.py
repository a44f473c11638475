"""The cells of the bench: varied webs, topics, bookmarks and difficulties, to avoid overfitting to one web.

They are listed in `cells.toml`. Settings are tuned on cells marked `choose` and reported on those marked `report`; the
two share no topic and no seed of a web.
"""

import tomllib
from collections.abc import Sequence
from importlib import resources
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from thresher.bench.promise.bookmarks import Spread
from thresher.errors import InputError
from thresher.parameters import did_you_mean

Split = Literal["choose", "report"]
SPLITS: Final[tuple[Split, ...]] = ("choose", "report")


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One situation in which the promise must be kept.

    The bookmarks are the file `bookmarks` of the web, or drawn: `examples` pages of each topic from `one` or `many` of
    its hosts, some of them `wrong` or `dead`. `delays` are those in robots files: as in the web, `drawn` on a
    logarithmic scale between .1 and 60 s, or the same number of seconds for all. The `best` host without a bookmark, by
    its pages on the topics, may be `slow` or `down`. `pages` and `hours` limit the whole run, 0 for no limit. A `quick`
    cell belongs to the short bench.
    """

    name: str
    web: str
    split: Split = "report"
    topics: tuple[str, ...] = ()
    bookmarks: str = ""
    examples: int = 4
    spread: Spread = "one"
    wrong: int = 0
    dead: int = 0
    delays: Literal["own", "drawn"] | float = "own"
    best: Literal["usual", "slow", "down"] = "usual"
    pages: int = 1500
    hours: float = 0.0
    quick: bool = False


def all_cells() -> list[Cell]:
    """Return the cells of the bench."""
    text = resources.files("thresher.bench.promise").joinpath("cells.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["cell"], list[Cell])


def named_cells(words: Sequence[str]) -> list[Cell]:
    """Return the cells given by names of cells, webs and splits; raises InputError for an unknown name."""
    cells = all_cells()
    found: dict[str, Cell] = {}
    for word in words:
        meant = [cell for cell in cells if word in (cell.name, cell.split, cell.web, cell.web.partition("(")[0])]
        if not meant:
            known = [name for cell in cells for name in (cell.name, cell.web)]
            raise InputError(f"There is no cell '{word}'.", did_you_mean(word, known) or f"There is: {cells[0].name}.")
        found.update({cell.name: cell for cell in meant})
    return list(found.values())


def described(cell: Cell) -> dict[str, Any]:
    """Return a cell as data, as stored in a record."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(cell))
    return data
