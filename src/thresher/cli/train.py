"""`thresher train`: fetches the training pages and learns the topics from them."""

from typing import Any

import typer
from rich.console import Console

from thresher.cli.display import Display
from thresher.cli.interrupts import run_until_interrupted, stopping_on_signals
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, plain, print_json
from thresher.learn.quality import Quality
from thresher.reasons import MEANING
from thresher.runs.training import Watch
from thresher.runs.training import train as train_portal
from thresher.train.report import TopicReport, Trained

_SOURCES = {
    "others": "of OTHERS",
    "siblings": "of sibling topics",
    "met": "met earlier, of no label",
    "background": "of general language",
}


@app.command(epilog="Example: thresher train my-portal")
def train(portal: Portal, overrides: Set = None, json: Json = False) -> None:
    """Fetch the training pages of all topics, learn to tell them, and say how well that works."""
    out = console(stderr=json)

    async def under_display() -> Trained | None:
        with Display(out) as display:
            stage = lambda text: out.print(f"[dim]{plain(text)}[/]")  # noqa: E731
            watch = Watch(stage, display.show, stopping_on_signals)
            return await train_portal(portal, overrides or [], watch)

    trained = run_until_interrupted(under_display())
    if trained is None:
        out.print("Interrupted; what was fetched stays. Train again to go on.")
        raise typer.Exit(INTERRUPTED)
    if json:
        print_json(_data(str(portal), trained))
        return
    _print(out, trained)
    out.print(f"Go on with it: [bold]{hint('run', portal)}[/]")


def _data(portal: str, trained: Trained) -> dict[str, Any]:
    return {
        "portal": portal,
        "model": trained.version,
        "pages": trained.pages,
        "negatives": trained.negatives.counts(),
        "negatives_sample": trained.negatives.samples(),
        "topics": [topic.as_data() for topic in trained.topics],
        "failed": [
            {"url": page.url, "topic": page.topic, "reason": page.reason.value, "detail": page.detail}
            for page in trained.unused
        ],
        "notices": trained.notices,
    }


def show_warnings(out: Console, trained: Trained) -> None:
    """Print which training pages were left out, and what is wrong with the topics."""
    _print_left(out, trained)
    for topic in trained.topics:
        for warning in topic.warnings:
            out.print(f"[yellow]Note:[/] {plain(topic.path)}: {plain(warning)}")


def _print_left(out: Console, trained: Trained) -> None:
    for page in trained.unused:
        detail = f" [dim]({plain(page.detail)})[/]" if page.detail else ""
        out.print(
            f"[yellow]Left out[/] {plain(page.url)} ({plain(page.topic)}): "
            f"{page.reason.value}: {plain(MEANING[page.reason])}{detail}"
        )


def _print(out: Console, trained: Trained) -> None:
    _print_left(out, trained)
    for topic in trained.topics:
        _print_topic(out, topic)
    show_negatives(out, trained)
    for notice in trained.notices:
        out.print(f"[yellow]Note:[/] {plain(notice)}")
    learnt = f"{counted(len(trained.topics), 'topic')} on {counted(trained.pages, 'page')}"
    out.print(f"Trained {learnt}; model {trained.version}.")


def show_negatives(out: Console, trained: Trained) -> None:
    """Print what the topics are told from, with some of the pages."""
    sources = [f"{number} {_SOURCES[name]}" for name, number in trained.negatives.counts().items() if number]
    out.print(f"Told from pages: {', '.join(sources)}.")
    for name, sample in trained.negatives.samples().items():
        out.print(f"  [dim]{name:<10} {plain(', '.join(sample))}[/]", soft_wrap=True)


def _print_topic(out: Console, topic: TopicReport) -> None:
    out.print(f"[bold]{plain(topic.path)}[/]")
    sites = "one site" if topic.sites == 1 else f"{topic.sites} sites"
    out.print(f"  pages      {topic.pages} of {sites} for it, {topic.negatives} against; {topic.features:,} features")
    out.print(f"  quality    {_quality(topic.quality)}{_measured(topic)}")
    out.print(f"  words      {plain(', '.join(topic.words)) or '-'}")
    for warning in topic.warnings:
        out.print(f"  [yellow]warning[/]    {plain(warning)}")


def _measured(topic: TopicReport) -> str:
    """Say which pages the quality of a topic was measured on."""
    if topic.quality is None:
        return ""
    held_out = "pages of other sites" if topic.sites > 1 else "pages of the same site, which flatters"
    return f" on {held_out}"


def _quality(found: Quality | None) -> str:
    if found is None:
        return "cannot be measured with one page"
    shares = [
        ("precision", found.precision, found.precision_interval),
        ("recall", found.recall, found.recall_interval),
        ("F", found.f, found.f_interval),
    ]
    return ", ".join(
        f"{name} {'-' if share is None else f'{share:.2f}'} ({low:.2f}-{high:.2f})"
        for name, share, (low, high) in shares
    )
