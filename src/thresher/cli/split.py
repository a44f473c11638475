"""`thresher split`: divides a topic into sub-topics."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from thresher.api.organised import SplitResult
from thresher.api.organised_data import BEST
from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.organising import Apply, Loss, Undo, error_words, organise, show_undo
from thresher.cli.output import console, counted, hint
from thresher.cli.screen import bold, dim
from thresher.cli.topic_notes import warn_of_changed_topics
from thresher.errors import UsageError
from thresher.work_steps import OnStep


@app.command(epilog="Example: thresher split my-portal Science --into 3 --apply")
def split(
    portal: Portal,
    topic: Annotated[str | None, typer.Argument(metavar="[TOPIC]", help="The topic to divide.")] = None,
    into: Annotated[
        int | None, typer.Option("--into", metavar="K", help="Number of sub-topics; the best fit by default.")
    ] = None,
    loss: Loss = None,
    method: Annotated[
        str, typer.Option("--method", help="meta (several methods together), k-means, selecting or svd.")
    ] = "meta",
    mapping: Annotated[
        str, typer.Option("--mapping", help="With meta: how clusters are matched, assignment or purity.")
    ] = "assignment",
    function: Annotated[
        str,
        typer.Option(
            "--function", help="With meta: how votes are counted, threshold, unanimous, majority or weighted."
        ),
    ] = "threshold",
    share: Annotated[
        float, typer.Option("--share", min=0.5, max=1.0, help="With threshold: share of the votes that a page needs.")
    ] = 0.8,
    peers: Annotated[
        bool, typer.Option("--peers", help="With meta: also let peers that have this topic vote with their clusters.")
    ] = False,
    rest: Annotated[
        str,
        typer.Option(
            "--rest", help="Undecided pages stay with the parent, or are spread by an svm or transductive svm."
        ),
    ] = "parent",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random choices.")] = 0,
    apply: Apply = False,
    undo: Undo = False,
    json: Json = False,
) -> None:
    """Divide a topic into sub-topics, each with distinctive words, sentences and best pages; --apply creates them."""

    def step(opened: OpenPortal, on_step: OnStep) -> SplitResult:
        if topic is None:
            raise UsageError("A split needs a topic.", f"See the topics: {hint('topics', portal)}")
        return opened.split(
            topic,
            into=into,
            loss=loss,
            method=method,
            mapping=mapping,
            function=function,
            share=share,
            rest=rest,
            seed=seed,
            peers=peers,
            apply=apply,
            on_step=on_step,
        )

    organise(portal, "split", step, partial(_show, portal), apply=apply, undo=undo, json=json)


def _show(portal: Path, result: SplitResult) -> None:
    out, split, step = console(), result.split, result.step
    if number := result.to_dict()["number"]:
        out.print(number)
    for cluster in split.clusters:
        pages = len(cluster.core) + len(cluster.spread)
        spread = f", {len(cluster.spread):,} of them spread" if cluster.spread else ""
        out.print()
        out.print(bold(cluster.name), f"  {counted(pages, 'page')}{spread}")
        out.print(f"  {', '.join(cluster.label.words)}")
        for sentence in cluster.label.sentences:
            out.print("  ", dim(sentence))
        for page in cluster.core[:BEST]:
            out.print(f"  {page.title or page.url}  ", dim(page.url))
    out.print()
    out.print(f"{counted(len(split.left), 'page')} stay in {split.topic}; {split.loss:.0%} were too uncertain.")
    out.print(f"Estimated share of core pages that belong to another sub-topic: {error_words(split.error)}.")
    if step is None:
        out.print("Nothing was changed. To create these topics, repeat the command with --apply.")
        return
    out.print(f"Created {counted(len(split.clusters), 'topic')} and moved {counted(step.pages, 'page')}.")
    show_undo(portal, "split")
    warn_of_changed_topics(out, portal)
