"""`thresher features`: the words that best identify a topic."""

from typing import Annotated

import typer

from thresher.api.classifying import features_of
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, print_json
from thresher.cli.screen import bold

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
    found = features_of(portal, topic)
    if json:
        print_json(found)
        return
    out = console()
    rows = found["features"]
    out.print(
        bold(found["topic"]), f": top {len(rows)} of {found['chosen']:,} features by {MEASURES[found['measure']]}"
    )
    out.print("    score  pages  word")
    for row in rows:
        stem = f"  ({row['stem']})" if row["stem"] != row["word"] else ""
        out.print(f"  {row['score']:7.4f}  {row['pages']:5,}  {row['word'] + stem}")
