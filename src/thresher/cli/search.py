"""`thresher search`, `similar` and `neighbours`: look for pages of a portal, and around them."""

import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.result_list import as_object, middle, print_results, print_wrapped, shortened, width_of
from thresher.cli.saved_searches import find_saved, keep_search
from thresher.cli.screen import Screen, bold, dim, yellow
from thresher.errors import UsageError
from thresher.exports.page_files import write_pages
from thresher.search.profiles import USUAL
from thresher.search.results import Neighbour, SearchResults, Suggestion
from thresher.search.searcher import Searcher
from thresher.search.sentence import sentence
from thresher.store.page_records import AcceptedPage

USUAL_NUMBER = 10
Number = Annotated[int, typer.Option("--number", min=1, max=1_000, help="Results shown.")]
Why = Annotated[bool, typer.Option("--why", help="Show the parts that each score is made of.")]
Pager = Annotated[bool, typer.Option("--pager", help="Show the results in your pager.")]


@app.command(
    epilog="Example: thresher search my-portal '\"thin film\" solar -lunar site:example.org' --facets",
    # A word with a minus before it is part of the query.
    context_settings={"ignore_unknown_options": True},
)
def search(
    portal: Portal,
    query: Annotated[
        list[str] | None, typer.Argument(metavar="[QUERY]", help="Words and filters; nothing lists the portal.")
    ] = None,
    rank: Annotated[
        str | None, typer.Option("--rank", metavar="WEIGHTS", help="A ranking, as in text=1,authority=0.5.")
    ] = None,
    number: Number = USUAL_NUMBER,
    page: Annotated[int, typer.Option("--page", min=1, help="Which page of results.")] = 1,
    facets: Annotated[bool, typer.Option("--facets", help="Count topics, sites, types and the like.")] = False,
    why: Why = False,
    within: Annotated[
        list[str] | None, typer.Option("--within", metavar="QUERY", help="Search in the results of this; repeatable.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export", metavar="FILE", help="Write all results to FILE.csv, .jsonl, .html (bookmarks), .atom."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --export: write over a file that is there.")] = False,
    relevant: Annotated[
        list[str] | None, typer.Option("--relevant", metavar="URL", help="A result you were looking for; repeatable.")
    ] = None,
    irrelevant: Annotated[
        list[str] | None,
        typer.Option("--irrelevant", metavar="URL", help="A result that is beside the point; repeatable."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", metavar="NAME", help="Rank as the feedback under this name suggests.")
    ] = "",
    save: Annotated[str, typer.Option("--save", metavar="NAME", help="Keep this search under a name.")] = "",
    saved: Annotated[str, typer.Option("--saved", metavar="NAME", help="Repeat a search that was kept.")] = "",
    new: Annotated[bool, typer.Option("--new", help="With --saved: only what is new since you last looked.")] = False,
    unfold: Annotated[
        bool, typer.Option("--unfold", help="Show every page of a site and every near-duplicate.")
    ] = False,
    pager: Pager = False,
    json: Json = False,
) -> None:
    """Search the portal.

    All words must be on a page. Further: -word, "a phrase", word*, OR, brackets, exact:word, and the filters site:,
    intitle:, inurl:, filetype:, lang:, topic:, conf:, sure:, found:, changed:, state:, linksto:, linkedfrom:, similar:,
    model:. Accepted pages are searched, all with topic:any.
    """
    words = _typed(query or [])
    with _searcher(portal, json) as searcher:
        kept = find_saved(portal, saved) if saved else None
        if kept is not None:
            words, rank = f"{kept.query} {words}".strip(), rank or kept.rank or None
        if export is not None:
            _export(portal, searcher.every(words, rank=rank), export, words, force=force, json=json)
            return
        if relevant or irrelevant:
            profile = profile or USUAL
            searcher.judge(words, relevant or (), irrelevant or (), profile)
        found = searcher.search(
            words,
            rank=rank,
            number=number,
            page=page,
            facets=facets,
            within=within or (),
            fold=not unfold,
            profile=profile,
            since=kept.looked if kept is not None and new else 0.0,
        )
    if save:
        keep_search(portal, save, words, rank or "")
    if kept is not None:
        keep_search(portal, kept.name, kept.query, kept.rank)
    if json:
        print_json(_object(found))
        return
    out = console()
    with out.rich.pager(styles=True) if pager else nullcontext():
        print_results(out, found.results, (found.page - 1) * number + 1, why)
        _print_facets(out, found)
        print_wrapped(out, sentence(found.understood))
        if found.total:
            _print_place(out, found, number)
        elif new:
            out.print("Nothing is new since you last looked.")
        else:
            _print_advice(out, portal, found)
        if not found.last:
            given = [] if rank is None else ["--rank", rank]
            given += [] if number == USUAL_NUMBER else ["--number", str(number)]
            out.print("More: ", bold(hint("search", portal, found.query, *given, "--page", found.page + 1)))


@app.command(epilog="Example: thresher similar my-portal http://example.org/solar")
def similar(
    portal: Portal,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page of the portal.")],
    number: Number = 10,
    json: Json = False,
) -> None:
    """Show the pages that are most similar to one, by the words that tell it from others."""
    with _searcher(portal, json) as searcher:
        found = searcher.similar(url, number=number)
    if json:
        print_json(_object(found))
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
    """Show which pages link to a page, and which it links to, with the texts of the links."""
    with _searcher(portal, json) as searcher:
        found = searcher.neighbours(url, number=number)
    if json:
        sides = {"here": found.linking_here, "from_here": found.linked_from_here}
        results = [{**_end(one), "direction": side} for side, ends in sides.items() for one in ends]
        print_json({"url": found.url, "results": results})
        return
    out = console()
    for title, ends in (("Links here", found.linking_here), ("Links from here", found.linked_from_here)):
        out.print(bold(f"{title}: {counted(len(ends), 'page')}"))
        for one in ends:
            _print_end(out, one)


def _typed(query: list[str]) -> str:
    """Return a query; raises UsageError for a word that was meant as an option."""
    for word in query:
        if word.startswith("--"):
            raise UsageError(f"No such option: {word}", "See: thresher search --help")
    return " ".join(query)


def _export(portal: Path, pages: Iterator[AcceptedPage], file: Path, query: str, *, force: bool, json: bool) -> None:
    title = f"{portal.resolve().name}: {query}" if query else portal.resolve().name
    total = write_pages(file, pages, title=title, at=time.time(), force=force)
    if json:
        print_json({"portal": str(portal), "query": query, "file": str(file), "total": total})
    else:
        console().print(f"Wrote {counted(total, 'page')} to ", bold(file), ".")


def _searcher(portal: Path, json: bool) -> Searcher:
    told = console(stderr=True)

    def progress(pages: int) -> None:
        if not json and pages >= _WORTH_TELLING:
            told.print(dim(f"Indexed {pages:,} pages."))

    return Searcher(portal, on_indexed=progress)


_WORTH_TELLING = 2_000


def _object(found: SearchResults) -> dict[str, Any]:
    return {
        "query": found.query,
        "understood": sentence(found.understood),
        "left_out": [{"text": part.text, "reason": part.why} for part in found.understood.left_out],
        "total": found.total,
        "exact": found.exact,
        "page": found.page,
        "rank": found.rank,
        "results": [as_object(result) for result in found.results],
        "facets": found.facets,
        "did_you_mean": [suggestion._asdict() for suggestion in found.did_you_mean],
        "missing": found.missing,
        "without": found.without._asdict() if found.without else None,
        "seconds": round(found.seconds, 4),
    }


def _end(one: Neighbour) -> dict[str, Any]:
    return {
        "url": one.url,
        "title": one.title,
        "topic": one.topic,
        "confidence": one.confidence,
        "anchor": one.anchor,
        "stored": one.stored,
    }


def _print_place(out: Screen, found: SearchResults, number: int) -> None:
    first = (found.page - 1) * number + 1
    shown = f"{first}–{first + len(found.results) - 1} of " if found.results else "none left of "
    about = "" if found.exact else "about "
    out.print(f"{shown}{about}{counted(found.total, 'page')}, {found.seconds:.2f} s.")


def _print_advice(out: Screen, portal: Path, found: SearchResults) -> None:
    if found.missing:
        out.print("No page has ", yellow(" or ".join(f"'{word}'" for word in found.missing)), ".")
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


def _print_end(out: Screen, one: Neighbour) -> None:
    width = width_of(out)
    address = one.url if not out.is_terminal else middle(one.url, width - 2)
    out.print("  ", address)
    about = [f'"{shortened(one.anchor, width // 2)}"' if one.anchor.strip() else "no text"]
    about += [one.topic or "rejected"] if one.stored else ["not stored"]
    out.print("    ", dim(shortened(" · ".join(about), width - 4)))
