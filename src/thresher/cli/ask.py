"""`thresher ask`: expert search - a query becomes a topic, is learnt and crawled for."""

from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.display import Display
from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.new import read_bytes
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, crawl_summary, plain, print_json, program
from thresher.config.load import load
from thresher.crawl.budget import Stop
from thresher.errors import InputError
from thresher.models import newest_model
from thresher.portals import create_portal, load_topics, save_topics, start_pages
from thresher.runs.plans import Harvest, Outcome
from thresher.runs.run import run
from thresher.store.sqlite.store import DATABASE, open_store
from thresher.taxonomy.topic_tree import from_query, written
from thresher.train.expert_search import Answer, best_pages, chance_by, teaching, topic_path, with_query
from thresher.train.lessons import page_of_text
from thresher.train.training import Watch, train


@app.command(epilog='Example: thresher ask my-portal "free open source ARIES recovery" --pages 500')
def ask(
    portal: Portal,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you look for, in words.")],
    seeds: Annotated[
        Path | None, typer.Option("--seeds", metavar="FILE", help="Start pages for a new portal, one URL per line.")
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=1, help="Pages to fetch.")] = 300,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Stop after this many hours; 0 for no limit.")] = 0.0,
    number: Annotated[int, typer.Option("--number", min=1, help="Answers shown.")] = 10,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Make a topic of a query, crawl for it with patience, and show the pages that answer it best.

    In a portal that has pages, those that answer the query teach it and are the start; a new one needs start pages.
    """
    out = console(stderr=json)
    _prepare(portal, query, seeds, overrides or [])
    given = [*(overrides or []), f"harvest.pages={pages}", f"harvest.hours={hours!r}"]
    # Answers lie behind pages that have little to do with the question (spec: tunnelling of 4 to 5 steps).
    given += ["harvest.strategy=classifier(tunnel=4)", "archetypes.admit_all=true"]

    async def under_display() -> Outcome | None:
        with Display(out) as display:
            stage = lambda text: out.print(f"[dim]{plain(text)}[/]")  # noqa: E731
            watch = Watch(stage, display.show, stopping_on_signals)
            if await train(portal, given, watch) is None:
                return None
            with stopping_on_signals(last=True) as on_engine:
                return await run(Harvest(portal, given, fresh=True), display.show, on_engine)

    outcome = run_until_interrupted(under_display())
    if outcome is None:
        raise typer.Exit(INTERRUPTED)
    with closing(open_store(portal, read_only=True)) as store:
        language = load(portal, given).settings.reading.language
        chance = chance_by(newest_model(portal, store), written(topic_path(query)))
        answers = best_pages(store, query, language, number, chance)
    _show(out, str(portal), query, answers, outcome, json)
    raise typer.Exit(INTERRUPTED if outcome.progress.stopped_because == Stop.INTERRUPTED else 0)


def _prepare(portal: Path, query: str, seeds: Path | None, overrides: list[str]) -> None:
    """Make a portal of the query, or the query a topic of the portal.

    Raises InputError where the query cannot teach: its topic would keep the whole portal from being trained.
    """
    language = load(portal, overrides).settings.reading.language
    if not page_of_text(query, "query:", language).terms:
        raise InputError("There is no word in the query that can be looked for.", "Write the words you look for.")
    if not (portal / DATABASE).exists():
        if seeds is None:
            raise InputError(
                f"{portal} is a new portal, and a query alone leads nowhere.",
                f'Name start pages: thresher ask {portal} "{query[:60]}" --seeds FILE',
            )
        create_portal(portal, read_bytes(seeds).decode("utf-8-sig", "replace"), from_query(query))
        return
    with closing(open_store(portal)) as store:
        tree = with_query(load_topics(portal), query, teaching(best_pages(store, query, language, 20)))
        if not store.start_urls.urls() and not start_pages(tree):
            raise InputError(f"{portal} has no pages to start from.", "Add some: thresher topics PORTAL add TOPIC URL")
    save_topics(portal, tree)


def _show(out: Any, portal: str, query: str, answers: list[Answer], outcome: Outcome, json: bool) -> None:
    if json:
        rows = [
            {"url": found.url, "title": found.title, "score": round(found.score, 4), "confidence": found.confidence}
            for found in answers
        ]
        summary = crawl_summary(portal, outcome.crawl, outcome.progress)
        print_json({**summary, "query": query, "topic": written(topic_path(query)), "answers": rows})
        return
    for place, found in enumerate(answers, 1):
        out.print(f"{place:3}. {found.score:.2f}  [bold]{plain(found.title or '(no title)')}[/]")
        out.print(f"           {plain(found.url)}")
    if not answers:
        out.print("No page has these words. Fetch more, or say it in other words.")
    name = plain(portal)
    out.print(f"{outcome.progress.pages:,} pages fetched. Why a page: [bold]{program()} explain {name} URL[/]")
