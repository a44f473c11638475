"""`thresher report`: what is new in a portal."""

from contextlib import closing
from typing import Annotated

import msgspec
import typer

from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, print_json
from thresher.config.load import load
from thresher.errors import InputError
from thresher.portal.library import Library
from thresher.portal.messages import messages_in
from thresher.portal.report import bounds, day_of, report_of
from thresher.portal.report_text import report_lines, summary
from thresher.store.repository import open_store

_DAY = 86_400.0


@app.command(epilog="Example: thresher report my-portal --days 7")
def report(
    portal: Portal,
    days: Annotated[float, typer.Option("--days", min=0, help="Report the last so many days.")] = 1.0,
    date: Annotated[str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Report one day instead.")] = None,
    json: Json = False,
) -> None:
    """Report what is new: best finds, doubtful pages, new sites, failures, and what comes next."""
    day = day_of(date) if date is not None else None
    if date is not None and day is None:
        raise InputError(f"'{date}' is not a date.", "Write it like 2026-11-16.")
    settings = load(portal).settings
    with closing(open_store(portal, read_only=True)) as store:
        library = Library(portal, store, settings)
        now = library.clock()
        begin, end = bounds(day) if day is not None else (now - days * _DAY, now)
        found = report_of(library, begin, min(end, now))
    messages = messages_in(settings.portal.language)
    if json:
        data = {
            "portal": str(portal),
            "since": found.since,
            "until": found.until,
            "running": found.running,
            "summary": summary(found, messages),
            "read": found.read,
            "kept": found.kept,
            "new": found.new,
            "changed": found.changed,
            "gone": found.gone,
            "topics": msgspec.to_builtins(found.topics),
            "best": [{"url": page.url, "title": page.title, "topic": page.topic} for page in found.best],
            "doubtful": [{"url": page.url, "title": page.title, "topic": page.topic} for page in found.doubtful],
            "doubts": found.doubts,
            "new_sites": [{"host": host, "pages": pages} for host, pages in found.sites],
            "failed": {reason.value: number for reason, number in found.failed},
            "given_up": [host.host for host in found.held],
            "next": [{"kind": plan.schedule.kind.value, "at": plan.due} for plan in found.plans],
        }
        print_json(data)
        return
    out = console()
    for line in report_lines(found, messages):
        out.print(line)
