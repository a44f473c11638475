"""The cells of the bench: varied webs, topics, bookmarks and difficulties, to avoid overfitting to one web.

They stand in `cells.toml`. Settings are chosen by the cells marked `choose` and reported by those marked `report`,
which share no topic and no seed of a web with them.
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

    The bookmarks are the file `bookmarks` of the web, or drawn: `examples` pages of each topic from `one` host of it or
    from `many`, of which some are `wrong` or `dead`. `delays` are what robots files ask for: as the web has it, `drawn`
    by lot between .1 and 60 s on a logarithmic scale, or a number of seconds for all. The `best` host without a
    bookmark, by its pages on the topics, may be `slow` or `down`. `pages` and `hours` bound the whole run, 0 for no
    bound. A `quick` cell belongs to the short bench.
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
    """Return the cells that names of cells, webs and splits stand for; raises InputError for an unknown one."""
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
    """Return a cell as data, as a record has it."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(cell))
    return data
