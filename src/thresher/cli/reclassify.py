"""`thresher reclassify`: classifies all stored pages with the current classifier."""

import time
from contextlib import ExitStack

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import dim
from thresher.config.load import load
from thresher.models import load_classifier
from thresher.store.locks import CrawlLock
from thresher.store.repository import open_store, require_portal
from thresher.train.reclassifying import reclassify as judge_anew


@app.command(epilog="Example: thresher reclassify my-portal")
def reclassify(portal: Portal, json: Json = False) -> None:
    """Reclassify all stored pages with the current classifier, and show which ones changed topic."""
    out = console(stderr=json)
    with ExitStack() as stack:
        require_portal(portal)
        stack.enter_context(CrawlLock(portal))
        store = open_store(portal)
        stack.callback(store.close)
        classifier = load_classifier(portal, store)
        found = judge_anew(
            store,
            classifier,
            lambda pages: out.print(dim(f"{counted(pages, 'page')} classified")),
            at=time.time(),
            preview=load(portal).settings.reading.preview,
        )
    moves = sorted(found.moves.items(), key=lambda item: (-item[1], str(item[0])))
    rows = [{"from": before, "to": now, "pages": number} for (before, now), number in moves]
    if json:
        print_json(
            {
                "portal": str(portal),
                "model": classifier.version_,
                "pages": found.pages,
                "accepted": found.accepted,
                "moves": rows,
            }
        )
        return
    for (before, now), number in moves:
        out.print(f"{number:7,}  {before or 'rejected'} -> {now or 'rejected'}")
    moved = sum(found.moves.values())
    out.print(f"Reclassified {counted(found.pages, 'page')}: {found.accepted:,} accepted, {moved:,} changed topic.")
