"""`thresher search`, `similar` and `neighbours`: search a portal's pages, and list what is related to a page."""

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from thresher.api.portal import Portal as OpenPortal
from thresher.api.search_data import SearchExport, neighbours_data, search_data
from thresher.api.searching import USUAL, Searcher, export_results, open_searcher
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.result_list import middle, print_results, print_wrapped, shortened, width_of
from thresher.cli.screen import Screen, bold, dim, yellow
from thresher.errors import UsageError
from thresher.search.results import LinkNeighbour, SearchResults, Suggestion
from thresher.search.sentence import sentence

USUAL_NUMBER = 10

Number = Annotated[int, typer.Option("--number", min=1, max=1_000, help="Results shown.")]
Query = Annotated[
    list[str] | None, typer.Argument(metavar="[QUERY]", help="Words and filters; lists the whole portal if empty.")
]
Rank = Annotated[
    str | None, typer.Option("--rank", metavar="WEIGHTS", help="Weights of the ranking: text=1,authority=0.5.")
]
PageNumber = Annotated[int, typer.Option("--page", min=1, help="Page of results, from 1.")]
Facets = Annotated[bool, typer.Option("--facets", help="Count the results by topic, site, type and so on.")]
Why = Annotated[bool, typer.Option("--why", help="Show the parts of each score.")]
Within = Annotated[
    list[str] | None, typer.Option("--within", metavar="QUERY", help="Search in the results of QUERY; repeatable.")
]
Export = Annotated[
    Path | None,
    typer.Option("--export", metavar="FILE", help="Write all results to FILE.csv, .jsonl, .html (bookmarks), .atom."),
]
Force = Annotated[bool, typer.Option("--force", help="With --export: overwrite an existing file.")]
Relevant = Annotated[
    list[str] | None, typer.Option("--relevant", metavar="URL", help="Mark a result as relevant; repeatable.")
]
Irrelevant = Annotated[
    list[str] | None, typer.Option("--irrelevant", metavar="URL", help="Mark a result as irrelevant; repeatable.")
]
Profile = Annotated[str, typer.Option("--profile", metavar="NAME", help="Rank by the feedback given under this name.")]
Save = Annotated[str, typer.Option("--save", metavar="NAME", help="Save this search under a name.")]
Saved = Annotated[str, typer.Option("--saved", metavar="NAME", help="Run a saved search.")]
New = Annotated[bool, typer.Option("--new", help="With --saved: only pages stored since you last looked.")]
Unfold = Annotated[bool, typer.Option("--unfold", help="Show every page of a site and every near-duplicate.")]
Pager = Annotated[bool, typer.Option("--pager", help="Show the results in your pager.")]


@app.command(
    epilog="Example: thresher search my-portal '\"thin film\" solar -lunar site:example.org' --facets",
    # Words that start with a minus are part of the query.
    context_settings={"ignore_unknown_options": True},
)
def search(
    portal: Portal,
    query: Query = None,
    rank: Rank = None,
    number: Number = USUAL_NUMBER,
    page: PageNumber = 1,
    facets: Facets = False,
    why: Why = False,
    within: Within = None,
    export: Export = None,
    force: Force = False,
    relevant: Relevant = None,
    irrelevant: Irrelevant = None,
    profile: Profile = "",
    save: Save = "",
    saved: Saved = "",
    new: New = False,
    unfold: Unfold = False,
    pager: Pager = False,
    json: Json = False,
) -> None:
    """Search the portal.

    A page must have all words. Also: -word, "a phrase", word*, OR, brackets, exact:word, and the filters site:,
    intitle:, inurl:, filetype:, lang:, topic:, conf:, sure:, found:, changed:, state:, linksto:, linkedfrom:, similar:,
    model:. Only accepted pages are searched; topic:any searches all.
    """
    words = _typed(query or [])
    searches = OpenPortal.open(portal).saved_searches
    kept = searches.find(saved) if saved else None
    if kept is not None:
        words, rank = f"{kept.query} {words}".strip(), rank or kept.rank or None
    with _searcher(portal, json) as searcher:
        if export is not None:
            _export(portal, searcher, export, words, rank, force=force, json=json)
            return
        if relevant or irrelevant:
            profile = profile or USUAL
            searcher.judge(words, relevant or (), irrelevant or (), profile)
        since = kept.looked if kept is not None and new else 0.0
        found = searcher.search(
            words,
            rank=rank,
            number=number,
            page=page,
            facets=facets,
            within=within or (),
            fold=not unfold,
            profile=profile,
            since=since,
        )
    if save:
        searches.save(save, words, rank or "")
    if kept is not None:
        searches.save(kept.name, kept.query, kept.rank)
    if json:
        print_json(search_data(found))
    else:
        again = _options(number=number, rank=rank, within=within, profile=profile, unfold=unfold, why=why)
        _print(portal, found, _Shown(number, again, why, new, pager))


def _options(**given: object) -> list[str]:
    """Return the options that the command for the next page of results must repeat.

    >>> _options(number=10, rank="recency", within=["tea"], unfold=True, profile="")
    ['--rank', 'recency', '--within', 'tea', '--unfold']
    """
    repeated: list[str] = []
    for name, value in given.items():
        if value is True:
            repeated.append(f"--{name}")
        elif isinstance(value, list):
            repeated += [word for one in value for word in (f"--{name}", one)]
        elif value and value != USUAL_NUMBER:
            repeated += [f"--{name}", str(value)]
    return repeated


class _Shown(Struct, frozen=True):
    """How results are shown: how many on a page, with their parts, only new ones, in a pager.

    `again` has the options that the next page needs too.
    """

    number: int
    again: list[str]
    why: bool
    new: bool
    pager: bool


def _print(portal: Path, found: SearchResults, shown: _Shown) -> None:
    out = console()
    first = (found.page - 1) * shown.number + 1
    with out.rich.pager(styles=True) if shown.pager else nullcontext():
        print_results(out, found.results, first, shown.why)
        _print_facets(out, found)
        print_wrapped(out, sentence(found.understood))
        if found.total:
            place = f"{first}–{first + len(found.results) - 1} of " if found.results else "none left of "
            about = "" if found.exact else "about "
            out.print(f"{place}{about}{counted(found.total, 'page')}, {found.seconds:.2f} s.")
        elif shown.new:
            out.print("Nothing new since you last looked.")
        else:
            _print_advice(out, portal, found)
        if not found.last:
            out.print("More: ", bold(hint("search", portal, found.query, *shown.again, "--page", found.page + 1)))


@app.command(epilog="Example: thresher similar my-portal http://example.org/solar")
def similar(
    portal: Portal,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page of the portal.")],
    number: Number = 10,
    json: Json = False,
) -> None:
    """Show the pages most similar to a page, by their distinctive words."""
    with _searcher(portal, json) as searcher:
        found = searcher.similar(url, number=number)
    if json:
        print_json(search_data(found))
        return
    out = console()
    print_results(out, found.results, 1, False)
    if not found.results:
        out.print("No other page of the portal has words in common with it.")


@app.command(epilog="Example: thresher neighbours my-portal http://example.org/")
def neighbours(
    portal: Portal,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page, stored or linked to.")],
    number: Number = 20,
    json: Json = False,
) -> None:
    """Show the pages that link to a page and those it links to, with their link texts."""
    with _searcher(portal, json) as searcher:
        found = searcher.neighbours(url, number=number)
    if json:
        print_json(neighbours_data(found))
        return
    out = console()
    for title, ends in (("Links here", found.linking_here), ("Links from here", found.linked_from_here)):
        out.print(bold(f"{title}: {counted(len(ends), 'page')}"))
        for one in ends:
            _print_end(out, one)


def _typed(query: list[str]) -> str:
    """Return the query; raise UsageError for a word that looks like an option."""
    for word in query:
        if word.startswith("--"):
            raise UsageError(f"No such option: {word}", "See: thresher search --help")
    return " ".join(query)


def _export(
    portal: Path, searcher: Searcher, file: Path, query: str, rank: str | None, *, force: bool, json: bool
) -> None:
    total = export_results(searcher, query, file, title=portal.resolve().name, rank=rank, overwrite=force)
    if json:
        exported: SearchExport = {"portal": str(portal), "query": query, "file": str(file), "total": total}
        print_json(exported)
    else:
        console().print(f"Wrote {counted(total, 'page')} to ", bold(file), ".")


_WORTH_TELLING = 2_000
"""Number of pages indexed during a search that is worth reporting."""


def _searcher(portal: Path, json: bool) -> Searcher:
    told = console(stderr=True)

    def progress(pages: int) -> None:
        if not json and pages >= _WORTH_TELLING:
            told.print(dim(f"Indexed {pages:,} pages."))

    return open_searcher(portal, progress)


def _print_advice(out: Screen, portal: Path, found: SearchResults) -> None:
    if found.missing:
        out.print("No page contains ", yellow(" or ".join(f"'{word}'" for word in found.missing)), ".")
    else:
        out.print("No page matches.")
    for other in found.did_you_mean:
        out.print("Did you mean  ", bold(hint("search", portal, other.query)), f"  ({_pages(other)})")
    if found.without is not None:
        out.print(
            "With fewer words  ", bold(hint("search", portal, found.without.query)), f"  ({_pages(found.without)})"
        )


def _pages(other: Suggestion) -> str:
    return counted(other.total, "page")


def _print_facets(out: Screen, found: SearchResults) -> None:
    width = width_of(out)
    for name, values in found.facets.items():
        if not values:
            continue
        line = ", ".join(f"{value.value} {value.count:,}" for value in values[:8])
        more = " …" if len(values) > 8 else ""
        out.print(bold(f"{name:9}"), shortened(line + more, width - 9))


def _print_end(out: Screen, one: LinkNeighbour) -> None:
    width = width_of(out)
    address = one.url if not out.is_terminal else middle(one.url, width - 2)
    out.print("  ", address)
    about = [f'"{shortened(one.anchor, width // 2)}"' if one.anchor.strip() else "no text"]
    about += [one.topic or "rejected"] if one.stored else ["not stored"]
    out.print("    ", dim(shortened(" · ".join(about), width - 4)))
