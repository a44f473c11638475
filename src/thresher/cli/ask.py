"""`thresher ask`: expert search - crawls for a query and shows the pages that answer it best."""

from pathlib import Path
from typing import Annotated

import typer

from thresher.api.asking import Asked, check_words, sentence
from thresher.api.asking import ask as ask_portal
from thresher.api.portal import Portal as OpenPortal
from thresher.api.sources import read_seeds
from thresher.cli.display import Terminal
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError, command


@app.command(epilog='Example: thresher ask my-portal "free open source ARIES recovery" --pages 500')
def ask(
    portal: Portal,
    query: Annotated[
        str,
        typer.Argument(metavar="QUERY", help="Words to look for, and filters for the answers, as in search."),
    ],
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
    check_words(query)
    text = read_seeds(seeds) if seeds else None
    if not OpenPortal.exists(portal):
        if text is None:
            raise InputError(
                f"{portal} is a new portal, so the query needs pages to start from.",
                f"Give start pages: {command('ask', portal, query[:60], '--seeds', 'FILE')}",
            )
        OpenPortal.create(portal, seeds=text)
    asked = ask_portal(
        portal,
        query,
        seeds=text,
        pages=pages,
        hours=hours,
        number=number,
        fresh=fresh,
        settings=overrides,
        progress=Terminal(console(stderr=json), f"Asking: crawling for pages about {query}"),
    )
    if json:
        print_json(asked.summary(str(portal)))
    else:
        _show(portal, asked)
    raise typer.Exit(INTERRUPTED if asked.interrupted else 0)


def _show(portal: Path, asked: Asked) -> None:
    out, found, query = console(), asked.found, asked.query
    for place, answer in enumerate(found.answers, 1):
        out.print(f"{place:3}. {answer.score:.2f}  ", bold(answer.title or "(no title)"))
        out.print(f"           {answer.url}", dim(f"  without {', '.join(answer.lacks)}" if answer.lacks else ""))
    out.print(sentence(found))
    if not found.whole:
        again = hint("ask", portal, query, "--seeds", "FILE")
        out.print("Ask again to search further, use other words, or give more start pages: ", bold(again))
    out.print(
        f"{counted(asked.report.pages, 'page')} fetched. Explain a result: ", bold(hint("explain", portal, "URL"))
    )
    if found.answers:
        topic = hint("topics", portal, "add", query, "URL")
        out.print("Turn it into a topic, with pages that answer it: ", bold(topic))
