"""`thresher report`: what is new in a portal."""

from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, print_json
from thresher.portal.messages import messages_in
from thresher.portal.report_text import report_lines, summary


@app.command(epilog="Example: thresher report my-portal --days 7")
def report(
    portal: Portal,
    days: Annotated[float, typer.Option("--days", min=0, help="Report the last X days.")] = 1.0,
    date: Annotated[str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Report one day instead.")] = None,
    json: Json = False,
) -> None:
    """Report what is new: best finds, doubtful pages, new sites, failures, and what comes next."""
    with OpenPortal.open(portal) as opened:
        found, messages = opened.report(days=days, date=date), messages_in(opened.settings.portal.language)
    if json:
        print_json({**found.to_dict(str(portal)), "summary": summary(found, messages)})
        return
    out = console()
    for line in report_lines(found, messages):
        out.print(line)
