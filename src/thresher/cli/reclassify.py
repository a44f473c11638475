"""`thresher reclassify`: classifies all stored pages with the current classifier."""

from thresher.api.classifying import reclassify_pages
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import dim


@app.command(epilog="Example: thresher reclassify my-portal")
def reclassify(portal: Portal, json: Json = False) -> None:
    """Reclassify all stored pages with the current classifier, and show which ones changed topic."""
    out = console(stderr=json)
    done = reclassify_pages(portal, lambda pages: out.print(dim(f"{counted(pages, 'page')} classified")))
    if json:
        print_json(done)
        return
    for move in done["moves"]:
        out.print(f"{move['pages']:7,}  {move['from'] or 'rejected'} -> {move['to'] or 'rejected'}")
    moved = sum(move["pages"] for move in done["moves"])
    out.print(f"Reclassified {counted(done['pages'], 'page')}: {done['accepted']:,} accepted, {moved:,} changed topic.")
