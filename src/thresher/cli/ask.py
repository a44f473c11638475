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
from thresher.models import load_classifier
from thresher.portals import create_portal, load_topics, save_topics, start_pages
from thresher.runs.phases import refuse_to_give_up_harvest
from thresher.runs.plans import Harvest, RunResult
from thresher.runs.run import run
from thresher.runs.training import Watch, train
from thresher.store.repository import is_portal, open_store
from thresher.taxonomy.seeds import some_seeds
from thresher.taxonomy.topic_tree import from_query, written
from thresher.train.expert_search import (
    SearchResult,
    chance_by,
    find_answers,
    starting,
    teaching,
    topic_path,
    with_query,
)
from thresher.train.labelled_urls import page_of_text


@app.command(epilog='Example: thresher ask my-portal "free open source ARIES recovery" --pages 500')
def ask(
    portal: Portal,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you look for, in words.")],
    seeds: Annotated[
        Path | None, typer.Option("--seeds", metavar="FILE", help="More start pages, one URL per line.")
    ] = None,
    pages: Annotated[int, typer.Option("--pages", min=1, help="Pages to fetch.")] = 300,
    hours: Annotated[float, typer.Option("--hours", min=0, help="Stop after this many hours; 0 for no limit.")] = 0.0,
    number: Annotated[int, typer.Option("--number", min=1, help="Answers shown.")] = 10,
    fresh: Annotated[bool, typer.Option("--fresh", help="Give up a harvest that can go on.")] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Make a topic of a query, crawl for it with patience, and show the pages that answer it best.

    In a portal that has pages, those that answer the query teach it and those that have a part of it are where the
    crawl starts; a new one needs start pages.
    """
    out = console(stderr=json)
    _prepare(portal, query, seeds, overrides or [], fresh)
    given = [*(overrides or []), f"harvest.pages={pages}", f"harvest.hours={hours!r}"]
    # Answers lie behind pages that have little to do with the question.
    given += ["harvest.strategy=classifier(tunnel=4)", "archetypes.admit_all=true"]

    async def under_display() -> RunResult | None:
        with Display(out) as display:
            stage = lambda text: out.print(f"[dim]{plain(text)}[/]")  # noqa: E731
            watch = Watch(stage, display.show, stopping_on_signals)
            if await train(portal, given, watch) is None:
                return None
            with stopping_on_signals(True) as on_engine:
                return await run(Harvest(portal, given, fresh=True, query=query), display.show, on_engine)

    outcome = run_until_interrupted(under_display())
    if outcome is None:
        raise typer.Exit(INTERRUPTED)
    with closing(open_store(portal, read_only=True)) as store:
        language = load(portal, given).settings.reading.language
        chance = chance_by(load_classifier(portal, store), written(topic_path(query)))
        found = find_answers(store, query, language, number, chance)
    _show(out, str(portal), query, found, outcome, json)
    raise typer.Exit(INTERRUPTED if outcome.progress.stopped_because == Stop.INTERRUPTED else 0)


def _prepare(portal: Path, query: str, seeds: Path | None, overrides: list[str], fresh: bool) -> None:
    """Make a portal of the query, or the query a topic of the portal.

    Raises InputError where the query cannot teach: its topic would keep the whole portal from being trained; and
    UsageError where a harvest can go on that is not given up.
    """
    language = load(portal, overrides).settings.reading.language
    if not page_of_text(query, "query:", language).terms:
        raise InputError("There is no word in the query that can be looked for.", "Write the words you look for.")
    if not is_portal(portal):
        if seeds is None:
            raise InputError(
                f"{portal} is a new portal, and a query alone leads nowhere.",
                f'Name start pages: thresher ask {portal} "{query[:60]}" --seeds FILE',
            )
        create_portal(portal, read_bytes(seeds).decode("utf-8-sig", "replace"), from_query(query))
        return
    text = read_bytes(seeds).decode("utf-8-sig", "replace") if seeds else None
    named = [link.url for link in some_seeds(text).links] if text is not None else []
    with closing(open_store(portal)) as store:
        if not fresh:
            refuse_to_give_up_harvest(store, portal, query)
        answers = find_answers(store, query, language, 20).answers
        tree = with_query(load_topics(portal), query, teaching(answers), [*named, *starting(answers)])
        if not store.start_urls.urls() and not start_pages(tree):
            raise InputError(f"{portal} has no pages to start from.", "Add some: thresher topics PORTAL add TOPIC URL")
    save_topics(portal, tree)


def _show(out: Any, portal: str, query: str, found: SearchResult, outcome: RunResult, json: bool) -> None:
    topic = written(topic_path(query))
    if json:
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
        told = {"whole": found.whole, "missing": found.missing, "found": sentence(found)}
        summary = crawl_summary(portal, outcome.crawl, outcome.progress)
        print_json({**summary, "query": query, "topic": topic, "answers": rows, **told})
        return
    for place, answer in enumerate(found.answers, 1):
        out.print(f"{place:3}. {answer.score:.2f}  [bold]{plain(answer.title or '(no title)')}[/]")
        lacks = f"  [dim]lacks {plain(', '.join(answer.lacks))}[/]" if answer.lacks else ""
        out.print(f"           {plain(answer.url)}{lacks}")
    name = plain(portal)
    out.print(plain(sentence(found)))
    if not found.whole:
        example = f'{program()} topics {name} add "{plain(topic)}" URL'
        again = f'{program()} ask {name} "{plain(query)}"'
        out.print(f"Give a page that answers it, [bold]{example}[/], and ask again;")
        out.print(f"or name pages to start from, [bold]{again} --seeds FILE[/]; or say it in other words.")
    out.print(f"{outcome.progress.pages:,} pages fetched. Why a page: [bold]{program()} explain {name} URL[/]")


def sentence(found: SearchResult) -> str:
    """Return in one sentence what was found, and what is missing.

    >>> sentence(SearchResult([], 12, ("red", "boats"), 0, ("red", "boats")))
    'None of the 12 stored pages has any word of the query.'
    >>> sentence(SearchResult([], 12, ("red", "boats"), 3, ()))
    '3 of the 12 stored pages have all words of the query.'
    """
    if found.whole:
        return f"{found.whole:,} of the {found.pages:,} stored pages have all words of the query."
    if len(found.missing) == len(found.words):
        return f"None of the {found.pages:,} stored pages has any word of the query."
    start = f"None of the {found.pages:,} stored pages has all words of the query"
    if found.missing:
        return f"{start}, and none has {' or '.join(repr(word) for word in found.missing)}."
    return f"{start}, though each word is on some of them."
