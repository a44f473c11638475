"""`thresher ask`: expert search - crawls for a query and shows the pages that answer it best."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.api.sources import read_bytes
from thresher.cli.display import run_interruptibly
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, crawl_summary, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.config.load import load
from thresher.crawl.budget import Stop
from thresher.errors import InputError, command
from thresher.portals import create_portal
from thresher.runs.asking import query_words
from thresher.runs.plans import Ask, RunResult
from thresher.search.answers import SearchResult, find_answers
from thresher.store.repository import is_portal, open_store
from thresher.taxonomy.seeds import some_seeds
from thresher.taxonomy.shelves import tidy


@app.command(epilog='Example: thresher ask my-portal "free open source ARIES recovery" --pages 500')
def ask(
    portal: Portal,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for, in words.")],
    seeds: Annotated[
        Path | None, typer.Option("--seeds", metavar="FILE", help="More start pages, one URL per line.")
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=1, help="Pages to fetch.")] = 300,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Stop after this many hours; 0 for no limit.")] = 0.0,
    number: Annotated[int, typer.Option("--number", min=1, help="Answers shown.")] = 10,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over even if this query could continue.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Crawl for a query and show the pages that answer it best.

    In an existing portal, the crawl starts from pages that match part of the query and from queued links. A new portal
    needs --seeds. Ask again to continue an interrupted query. Topics and other crawls are not affected.
    """
    asked = tidy(query)
    settings = load(portal, overrides or []).settings
    words = query_words(asked, settings)
    if not words.words:
        raise InputError("The query has no searchable words.", "Write the words to look for.")
    text = read_bytes(seeds).decode("utf-8-sig", "replace") if seeds else None
    named = [link.url for link in some_seeds(text).links] if text is not None else []
    if not is_portal(portal):
        if text is None:
            raise InputError(
                f"{portal} is a new portal, so the query needs pages to start from.",
                f"Give start pages: {command('ask', portal, asked[:60], '--seeds', 'FILE')}",
            )
        create_portal(portal, text)
    plan = Ask(portal, asked, pages, hours, overrides=overrides or [], seeds=named, fresh=fresh)
    outcome = run_interruptibly(plan, json)
    with closing(open_store(portal, read_only=True)) as store:
        found = find_answers(store, words, number)
    _show(portal, asked, found, outcome, json)
    raise typer.Exit(INTERRUPTED if outcome.progress.stopped_because == Stop.INTERRUPTED else 0)


def _show(portal: Path, query: str, found: SearchResult, outcome: RunResult, json: bool) -> None:
    if json:
        print_json({**crawl_summary(str(portal), outcome.crawl, outcome.progress), "query": query, **_told(found)})
        return
    out = console()
    for place, answer in enumerate(found.answers, 1):
        out.print(f"{place:3}. {answer.score:.2f}  ", bold(answer.title or "(no title)"))
        out.print(f"           {answer.url}", dim(f"  without {', '.join(answer.lacks)}" if answer.lacks else ""))
    out.print(sentence(found))
    if not found.whole:
        again = hint("ask", portal, query, "--seeds", "FILE")
        out.print("Ask again to search further, use other words, or give more start pages: ", bold(again))
    out.print(
        f"{counted(outcome.progress.pages, 'page')} fetched. Explain a result: ", bold(hint("explain", portal, "URL"))
    )
    if found.answers:
        topic = hint("topics", portal, "add", query, "URL")
        out.print("Turn it into a topic, with pages that answer it: ", bold(topic))


def _told(found: SearchResult) -> dict[str, Any]:
    rows = [
        {
            "url": answer.url,
            "title": answer.title,
            "score": round(answer.score, 4),
            "confidence": answer.confidence,
            "lacks": answer.lacks,
        }
        for answer in found.answers
    ]
    return {"answers": rows, "whole": found.whole, "missing": found.missing, "found": sentence(found)}


def sentence(found: SearchResult) -> str:
    """Return what was found and what is missing, in one sentence.

    >>> sentence(SearchResult([], 12, ("red", "boats"), 0, ("red", "boats")))
    'None of the 12 stored pages contains any of the words.'
    >>> sentence(SearchResult([], 12, ("red", "boats"), 3, ()))
    '3 of the 12 stored pages contain all the words.'
    """
    if found.whole:
        return f"{found.whole:,} of the {found.pages:,} stored pages contain all the words."
    if len(found.missing) == len(found.words):
        return f"None of the {found.pages:,} stored pages contains any of the words."
    start = f"None of the {found.pages:,} stored pages contains all the words"
    if found.missing:
        return f"{start}, and none contains {' or '.join(repr(word) for word in found.missing)}."
    return f"{start}, but each word is on some of them."
