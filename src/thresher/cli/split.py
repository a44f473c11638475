"""`thresher split`: divides a topic into sub-topics."""

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal, one_of
from thresher.cli.organising import (
    Apply,
    Loss,
    Undo,
    error_keys,
    error_words,
    opened,
    refuse_both,
    show_undone,
    undo_command,
)
from thresher.cli.output import console, counted, hint, print_json
from thresher.cli.screen import bold, dim
from thresher.cli.topic_notes import warn_of_changed_topics
from thresher.errors import UsageError
from thresher.learn.label_mapping import Mapping
from thresher.learn.meta_functions import MetaFunction
from thresher.organise.split_steps import apply_split, undo_split
from thresher.organise.splitting import Method, Rest, Split, SplitOptions, SubTopic, number_sentence, split_topic
from thresher.portals import load_topics
from thresher.store.organise_records import StepRow
from thresher.taxonomy.topic_tree import found, parsed, written

BEST = 3
"""Pages shown of each sub-topic."""


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
        str, typer.Option("--function", help="With meta: how votes are counted, unanimous, majority or weighted.")
    ] = "unanimous",
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
    """Divide a topic into sub-topics, each with telling words, sentences and its best pages; --apply creates them."""
    refuse_both(apply, undo)
    if undo:
        _undo(portal, json)
        return
    if topic is None:
        raise UsageError("A split needs a topic.", f"See the topics: {hint('topics', portal)}")
    options = SplitOptions(
        into=into,
        loss=loss,
        method=one_of(Method, "--method", method),
        mapping=one_of(Mapping, "--mapping", mapping),
        function=one_of(MetaFunction, "--function", function),
        rest=one_of(Rest, "--rest", rest),
        seed=seed,
    )
    with opened(portal, apply) as store:
        path = parsed(topic)
        children = [child.name for child in found(load_topics(portal), path).children]
        proposed = split_topic(store, written(path), options, [*children, "others"])
        step = apply_split(portal, store, proposed, at=time.time()) if apply else None
    if json:
        print_json(_body(portal, proposed, step))
        return
    _show(portal, proposed, step)


def _undo(portal: Path, json: bool) -> None:
    with opened(portal, True) as store:
        undone, changed = undo_split(portal, store, at=time.time())
    show_undone(portal, undone, json, {"topics_kept": changed})
    if changed and not json:
        out = console()
        out.print(f"These topics were changed since the split, and stay: {', '.join(changed)}.")
        out.print(f"Delete one with: {hint('topics', portal, 'delete', changed[0])}")


def _body(portal: Path, split: Split, step: StepRow | None) -> dict[str, Any]:
    number = split.number.best if split.number else None
    moved = sum(len(cluster.core) + len(cluster.spread) for cluster in split.clusters)
    return {
        "portal": str(portal),
        "topic": split.topic,
        "clusters": [_cluster(cluster) for cluster in split.clusters],
        "number": number_sentence(number) if number else None,
        "kept": len(split.left),
        "moved": moved,
        "loss": round(split.loss, 4),
        **error_keys(split.error),
        "applied": step is not None,
        "undo": undo_command("split", portal) if step else None,
    }


def _cluster(cluster: SubTopic) -> dict[str, Any]:
    return {
        "name": cluster.name,
        "pages": len(cluster.core) + len(cluster.spread),
        "core": len(cluster.core),
        "words": cluster.label.words,
        "sentences": cluster.label.sentences,
        "best": [{"url": page.url, "title": page.title} for page in cluster.core[:BEST]],
    }


def _show(portal: Path, split: Split, step: StepRow | None) -> None:
    out = console()
    if split.number is not None:
        out.print(number_sentence(split.number.best))
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
    out.print(f"To undo it: {undo_command('split', portal)}")
    warn_of_changed_topics(out, portal)
