"""`thresher train`: fetches the training pages and learns the topics from them."""

from typing import Annotated

import typer
from rich.text import Text

from thresher.api.portal import Portal as OpenPortal
from thresher.api.reports import Interrupted
from thresher.api.training_data import training_data
from thresher.cli.display import Terminal
from thresher.cli.main import INTERRUPTED, app
from thresher.cli.options import Json, Portal, Set
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import Screen, bold, dim, yellow
from thresher.learn.quality import Quality
from thresher.reasons import MEANING
from thresher.train.report import TopicReport, Trained

_SOURCES = {
    "others": "from OTHERS",
    "siblings": "from sibling topics",
    "met": "unlabelled pages crawled earlier",
    "background": "general-language pages",
}


@app.command(epilog="Example: thresher train my-portal")
def train(
    portal: Portal,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Train on your pages only; ignore pages found by crawls.")
    ] = False,
    overrides: Set = None,
    json: Json = False,
) -> None:
    """Fetch the training pages of all topics, train the classifier and report its quality."""
    out = console(stderr=json)
    try:
        trained = OpenPortal.open(portal).train(fresh=fresh, settings=overrides, progress=Terminal(out))
    except Interrupted:
        out.print("Interrupted; everything fetched is kept. Train again to continue.")
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print_json(training_data(str(portal), trained))
        return
    _print(out, trained)
    if trained.archetypes:
        found = counted(sum(trained.archetypes.values()), "archetype")
        out.print(f"Also trained on {found} from earlier crawls. Without: ", bold(hint("train", portal, "--fresh")))
    out.print("Next: ", bold(hint("run", portal)))


def show_warnings(out: Screen, trained: Trained, most: int, more: str) -> None:
    """Print skipped pages and notes on the topics, at most `most` lines; the command `more` prints all."""
    lines = [*_left_out(trained), *_notes(trained)]
    for line in lines[:most]:
        out.print(*line)
    if len(lines) > most:
        out.print(f"And {counted(len(lines) - most, 'more note')}: ", bold(more))


def _notes(trained: Trained) -> list[tuple[str | Text, ...]]:
    of_topics = [f"{topic.path}: {warning}" for topic in trained.topics for warning in topic.warnings]
    return [(yellow("Note:"), f" {notice}") for notice in [*trained.notices, *of_topics]]


def _left_out(trained: Trained) -> list[tuple[str | Text, ...]]:
    return [
        (
            yellow("Skipped"),
            f" {page.url} ({page.topic}): {page.reason.value}: {MEANING[page.reason]}",
            dim(f" ({page.detail})" if page.detail else ""),
        )
        for page in trained.unused
    ]


def _print(out: Screen, trained: Trained) -> None:
    for line in _left_out(trained):
        out.print(*line)
    for topic in trained.topics:
        _print_topic(out, topic)
    _show_negatives(out, trained)
    for notice in trained.notices:
        out.print(yellow("Note:"), f" {notice}")
    learnt = f"{counted(len(trained.topics), 'topic')} on {counted(trained.pages, 'page')}"
    out.print(f"Trained {learnt}: model {trained.version}.")


def _show_negatives(out: Screen, trained: Trained) -> None:
    """Print where the negative examples came from, with a sample."""
    sources = [f"{number} {_SOURCES[name]}" for name, number in trained.negatives.counts().items() if number]
    out.print(f"Negative examples: {', '.join(sources)}.")
    for name, sample in trained.negatives.samples().items():
        out.print("  ", dim(f"{name:<10} {', '.join(sample)}"))


def _print_topic(out: Screen, topic: TopicReport) -> None:
    out.print(bold(topic.path))
    sites = "one site" if topic.sites == 1 else f"{topic.sites} sites"
    counts = f"{topic.pages} positive from {sites}, {topic.negatives} negative"
    out.print(f"  pages      {counts}; {topic.features:,} features")
    out.print(f"  quality    {_quality(topic.quality)}{_measured(topic)}")
    out.print(f"  words      {', '.join(topic.words) or '-'}")
    for warning in topic.warnings:
        out.print("  ", yellow("warning"), f"    {warning}")


def _measured(topic: TopicReport) -> str:
    """Return, in words, which pages the quality of a topic was measured on."""
    if topic.quality is None:
        return ""
    held_out = "on pages of other sites" if topic.sites > 1 else "on pages of the same site, so it is optimistic"
    return f", measured {held_out}"


def _quality(found: Quality | None) -> str:
    if found is None:
        return "cannot be measured with a single page"
    shares = [
        ("precision", found.precision, found.precision_interval),
        ("recall", found.recall, found.recall_interval),
        ("F", found.f, found.f_interval),
    ]
    return ", ".join(
        f"{name} {'-' if share is None else f'{share:.2f}'} ({low:.2f}-{high:.2f})"
        for name, share, (low, high) in shares
    )
