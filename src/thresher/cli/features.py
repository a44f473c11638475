"""`thresher features`: the words that best identify a topic."""

from contextlib import closing
from typing import Annotated

import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold
from thresher.errors import InputError, command
from thresher.models import load_classifier
from thresher.portals import load_topics
from thresher.store.repository import open_store
from thresher.taxonomy.topic_tree import found, parsed, written

MEASURES = {
    "mi": "mutual information",
    "ig": "information gain",
    "chi2": "chi squared",
    "cmi": "conditional mutual information",
}


@app.command(epilog="Example: thresher features my-portal Science/Physics")
def features(
    portal: Portal,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="Path of the topic, with slashes.")],
    json: Json = False,
) -> None:
    """Show the stems that best identify a topic: score, number of training pages, and the word as written."""
    with closing(open_store(portal, read_only=True)) as store:
        classifier = load_classifier(portal, store)
    path = written(parsed(topic))
    child = classifier.child(path)
    if child is None:
        found(load_topics(portal), parsed(topic))
        raise InputError(f"The topic '{path}' is not in the model.", f"Train again: {command('train', portal)}")
    rows = [
        {
            "stem": feature.stem,
            "word": classifier.written_.get(feature.stem, feature.stem),
            "score": feature.score,
            "pages": feature.pages,
        }
        for feature in child.telling
    ]
    measure = classifier.parameters.measure
    if json:
        print_json(
            {
                "portal": str(portal),
                "topic": path,
                "model": classifier.version_,
                "measure": measure,
                "chosen": child.features,
                "features": rows,
            }
        )
        return
    out = console()
    out.print(bold(path), f": top {len(rows)} of {child.features:,} features by {MEASURES[measure]}")
    out.print("    score  pages  word")
    for row in rows:
        stem = f"  ({row['stem']})" if row["stem"] != row["word"] else ""
        out.print(f"  {row['score']:7.4f}  {row['pages']:5,}  {str(row['word']) + stem}")
