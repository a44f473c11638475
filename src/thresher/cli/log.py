"""`thresher log`: what a crawl did, line by line."""

import time
from collections import deque
from datetime import datetime
from typing import Annotated

import typer

from thresher.api.portal import Portal as OpenPortal
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, print_json
from thresher.cli.rounds import news_sentence
from thresher.cli.screen import dim
from thresher.store.records import LogEntry


@app.command(epilog="Example: thresher log my-portal --tail 20")
def log(
    portal: Portal,
    tail: Annotated[int, typer.Option("--tail", min=0, help="Show only the last N lines; 0 for all.")] = 0,
    since: Annotated[int, typer.Option("--since", min=0, help="Only entries after this sequence number.")] = 0,
    crawl: Annotated[int | None, typer.Option("--crawl", help="Only this crawl.")] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Wait for new entries until Ctrl-C.")] = False,
    json: Json = False,
) -> None:
    """Print visits and events in order; JSON Lines with --json."""
    with OpenPortal.open(portal) as opened:
        entries = opened.crawls.log(since=since, crawl=crawl)
        for entry in deque(entries, tail) if tail else entries:
            since = entry.seq
            _print(entry, json)
        while follow:
            time.sleep(0.5)
            for entry in opened.crawls.log(since=since, crawl=crawl):
                since = entry.seq
                _print(entry, json)


def _print(entry: LogEntry, as_json: bool) -> None:
    if as_json:
        print_json(entry)
        return
    when = datetime.fromtimestamp(entry.at).strftime("%H:%M:%S")
    detail = _told(entry)
    console().print(dim(f"{entry.seq:>8} {when}"), f" {entry.kind:10} {entry.url or ''} ", dim(detail))


def _told(entry: LogEntry) -> str:
    detail = {key: value for key, value in entry.detail.items() if key != "url"}
    return news_sentence(entry) or " ".join(f"{key}={_short(value)}" for key, value in detail.items())


def _short(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
