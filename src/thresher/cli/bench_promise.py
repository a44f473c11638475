"""`thresher bench promise`: bookmarks in, the whole run over a web with manners, and what came of it."""

from typing import Annotated

import typer
from rich.console import Console

from thresher.bench.promise.figures import TopicFigures
from thresher.bench.promise.manuals import manuals
from thresher.bench.promise.survey import survey
from thresher.bench.promise.trial import Promise, Trial, hold
from thresher.bench.promise.whole_run import Spending
from thresher.cli.options import Data, Json, Quick, Set, size_of
from thresher.cli.output import console, plain, print_json
from thresher.errors import InputError, UsageError


def promise(
    web: Annotated[str, typer.Argument(metavar="WEB", help="The web: manuals.")] = "manuals",
    pages: Annotated[
        int | None, typer.Option("--pages", min=0, help="Pages of the whole run, 0 for no limit; 1,500.")
    ] = None,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Virtual hours of the whole run; 0 sets none.")] = 0.0,
    bookmarks: Annotated[str, typer.Option("--bookmarks", help="The web's file of bookmarks.")] = "one-host",
    baselines: Annotated[bool, typer.Option(help="Run breadth-first and stay-home too.")] = True,
    settings: Set = None,
    data: Data = None,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Make a portal of bookmarks, run it all the way on virtual time with every delay, and judge it by the labels."""
    if data is None:
        raise InputError(f"The web '{web}' needs the folder of the collections.", "Name it with --data.")
    budget = size_of(pages, quick, 300, 1500)
    if not budget and not hours:
        raise UsageError("A run without a budget never ends.", "Set --pages or --hours.")
    found = manuals(data)
    if bookmarks not in found.bookmarks:
        raise UsageError(f"'{web}' has no bookmarks '{bookmarks}'.", f"There are: {', '.join(found.bookmarks)}.")
    out = console(stderr=True)

    def read(done: int, of: int) -> None:
        if done % 1000 == 0:
            out.print(f"[dim]Reading the web for the first time: {done:,} of {of:,} pages[/]")

    known = survey(found, read)
    trial = Trial(
        cell=bookmarks,
        bookmarks=found.bookmarks[bookmarks],
        spending=Spending(budget, hours),
        settings=tuple(settings or ()),
        baselines=baselines,
    )
    row = hold(trial, found, known, lambda text: out.print(f"[dim]{plain(text)}[/]"))
    if json:
        print_json({"runs": [row]})
        return
    show(console(), row)
    if found.note:
        console().print(plain(found.note))


def show(out: Console, row: Promise) -> None:
    """Print the figures of a trial."""
    out.print(f"{row.web}, {row.cell}: {row.pages:,} of {row.budget:,} pages in {row.virtual_seconds:,.0f} virtual s")
    out.print(f"  stages                       {', '.join(f'{kind} {n}' for kind, n in row.stages.items())}")
    out.print(f"  fetched again                {row.fetched_again}")
    out.print("                               run    breadth-first  stay-home")
    out.print(f"  share on topic              {_three(row.on_topic, row.breadth_first, row.stay_home)}")
    right = _three(row.right_pages, row.breadth_first_right_pages, row.stay_home_right_pages)
    out.print(f"  accepted right pages        {right}")
    hosts = _three(row.hosts_found, row.breadth_first_hosts_found, row.stay_home_hosts_found)
    out.print(f"  new hosts found             {hosts}")
    out.print(f"  oracle share                {_figure(row.oracle_share)}")
    out.print(
        f"  fetched pages, macro        precision {_figure(row.precision)} recall {_figure(row.recall_of_fetched)}"
    )
    out.print(
        f"    hosts without a bookmark  precision {_figure(row.precision_new_hosts)} recall "
        f"{_figure(row.recall_new_hosts)} F {_figure(row.f_new_hosts)}; on topic {_figure(row.on_topic_new_hosts)}"
    )
    out.print(
        f"  last model, sample          F {_figure(row.judged_f_new_hosts)} precision "
        f"{_figure(row.judged_precision_new_hosts)} on hosts without a bookmark"
    )
    out.print(
        f"  wrong                       negatives {_figure(row.negatives_wrong)} archetypes "
        f"{_figure(row.archetypes_wrong)}"
    )
    out.print(
        f"  rounds                      kept {row.rounds_kept} (harmful {row.rounds_kept_harmful}), rolled back "
        f"{row.rounds_rolled_back} (helpful {row.rounds_rolled_back_helpful})"
    )
    out.print("  topic              precision recall fetched accepted | on hosts without a bookmark")
    for own, away in zip(row.topics, row.topics_new_hosts, strict=True):
        out.print(f"  {plain(own.topic):<18} {_topic(own)} | {_topic(away)}")


def _topic(row: TopicFigures) -> str:
    return f"{_figure(row.precision):>9} {_figure(row.recall_of_fetched):>6} {row.fetched:>7} {row.accepted:>8}"


def _three(*figures: float | None) -> str:
    return "".join(f"{_figure(figure):>10}" for figure in figures)


def _figure(value: float | None) -> str:
    """Return a share with three digits, a dash for none.

    >>> _figure(0.5), _figure(None)
    ('.500', '-')
    """
    if value is None:
        return "-"
    return f"{value:.3f}".replace("0.", ".", 1) if value < 1 else f"{value:.2f}"
