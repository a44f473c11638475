"""`thresher bench ask`: searches for known pages of real webs, from start pages a few clicks away."""

from typing import Annotated

import typer

from thresher.bench.ask.figures import AskFigures, figures
from thresher.bench.ask.known_items import draw_items
from thresher.bench.ask.searches import ASK, BREADTH_FIRST, WAYS, Search, search
from thresher.bench.running import prepare
from thresher.bench.webs.catalogue import find
from thresher.cli.bench_shapes import AskResults
from thresher.cli.options import Data, Json, Quick, size_of, words_of
from thresher.cli.output import console, print_json
from thresher.cli.screen import dim
from thresher.errors import UsageError

WEBS = ("wikispeedia(hosts=50)", "manuals")
SPLITS = ("report", "choose", "all")


def ask(
    webs: Annotated[list[str] | None, typer.Argument(metavar="[WEB]...", help="Webs; two by default.")] = None,
    items: Annotated[int | None, typer.Option("--items", min=2, help="Known pages per web; 120 by default.")] = None,
    split: Annotated[
        str, typer.Option("--split", help="Which of them: report or choose (half each), or all.")
    ] = "report",
    ways: Annotated[str, typer.Option("--ways", help=f"Search methods: {', '.join(WAYS)}.")] = f"{ASK},{BREADTH_FIRST}",
    pages: Annotated[int, typer.Option("--pages", min=1, help="Pages per search.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the known pages.")] = 0,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Search for known pages by their five most distinctive words, from two to four clicks away."""
    if split not in SPLITS:
        raise UsageError(f"--split cannot be '{split}'.", f"Choose one of: {', '.join(SPLITS)}.")
    chosen = words_of(ways)
    for way in chosen:
        if way not in WAYS:
            raise UsageError(f"There is no search method '{way}'.", f"There are: {', '.join(WAYS)}.")
    told = console(stderr=True)
    done: list[Search] = []
    for name in webs or WEBS:
        told.print(dim(f"Preparing the web {name}."))
        read, web = prepare(name, data), find(name, data)
        drawn = draw_items(web, read, size_of(items, quick, 12, 120), seed)
        wanted = [item for item in drawn if split in (item.split, "all")]
        for way in chosen:
            told.print(dim(f"{way}: {len(wanted)} items of {name}."))
            done += [search(item, way, web, read, pages) for item in wanted]
    rows = figures(done)
    if json:
        shown: AskResults = {"figures": rows, "runs": done}
        print_json(shown)
        return
    out = console()
    out.print("found       95 %   first  in ten  pages  seconds  way            web")
    for row in rows:
        out.print(_line(row))


def _line(row: AskFigures) -> str:
    low, high = row.interval
    first, ten = (f"{share:>6.2f}" if share is not None else "     -" for share in (row.first, row.in_ten))
    pages = f"{row.pages:>6.0f}" if row.pages is not None else "     -"
    took = f"{row.virtual_seconds:>8.0f}"
    return f"{row.found:>5.2f} {low:>5.2f}-{high:.2f}  {first}  {ten} {pages} {took}  {row.way:<14} {row.web}"
