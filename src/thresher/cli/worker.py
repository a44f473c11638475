"""The process that does the work started from the web portal: runs the commands and records start and end."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stdout, suppress
from pathlib import Path

import msgspec
import psutil

from thresher.cli import steps
from thresher.cli.main import INTERRUPTED, call
from thresher.config.load import load
from thresher.errors import ThresherError
from thresher.file_rights import follow
from thresher.runs.run_budget import RunBudget, account_of
from thresher.runs.whole import Stage, next_stage
from thresher.store.crawl_history import resumable_crawl
from thresher.store.protocol import Store
from thresher.store.repository import open_store
from thresher.store.work_records import WITH_RESULT, WorkKind, WorkRow, error_file, result_file, step_file


def main(portal: Path, number: int) -> int:
    """Do the work of a row in this process and return the exit code."""
    # Ctrl-C may be ignored in a background server, and that is inherited.
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.default_int_handler)
    return do_work(portal, number)


def do_work(portal: Path, number: int) -> int:
    """Do the work of a row, record its start and end, and return the exit code."""
    with closing(open_store(portal)) as store:
        row = store.works.get(number)
        if row is None or row.ended is not None:
            return 1
        store.works.begin(number, os.getpid(), socket.gethostname(), psutil.Process().create_time())
        row = store.works.get(number) or row
        if row.stopped_by:
            store.works.end(number, time.time(), INTERRUPTED)
            return INTERRUPTED
        commands = commands_of(row, portal, store)
    code = 0
    os.environ[steps.FILE] = str(step_file(portal, number))
    with _result_of(row, portal):
        for command in commands:
            code = call(command, lambda error: _leave(error, error_file(portal, number)))
            if code:
                break
    step_file(portal, number).unlink(missing_ok=True)
    with closing(open_store(portal)) as store:
        store.works.end(number, time.time(), code)
    return code


def _leave(error: ThresherError, file: Path) -> None:
    """Write why work failed to the file where the portal looks; if that fails, the log still says so."""
    with suppress(OSError, UnicodeEncodeError):
        with open(file, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(msgspec.json.encode(error.told()))
        follow(file)


@contextmanager
def _result_of(row: WorkRow, portal: Path) -> Iterator[None]:
    """Redirect output to the result file if this kind of work has one; other output goes to the log."""
    if row.kind not in WITH_RESULT:
        yield
        return
    file = result_file(portal, row.id)
    with open(file, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
        follow(file)
        with redirect_stdout(out):
            yield


def commands_of(row: WorkRow, portal: Path, store: Store) -> list[list[str]]:
    """Return the commands for some work; links are scored again after commands that change them."""
    folder = str(portal)
    hours = ["--hours", repr(row.hours)] if row.hours else []
    pages = ["--pages", str(row.pages)] if row.pages else []
    rank = ["rank", folder, "--number", "3"]
    match row.kind:
        case WorkKind.RUN:
            return [["run", folder, *_run_pages(row, portal, store), *hours], rank]
        case WorkKind.HARVEST:
            return [["harvest", folder, *pages, *hours, "--fresh"], rank]
        case WorkKind.RESUME:
            return [["resume", folder, *_resumed_pages(row, store), *hours], rank]
        case WorkKind.REFRESH:
            onward = ["harvest", folder, *pages, *hours, "--fresh", "--from-hubs"]
            follow = [onward] if row.pages and store.models.newest() else []
            return [["refresh", folder, *hours], *follow, rank]
        case WorkKind.SPLIT | WorkKind.FILTER | WorkKind.DEDUPE | WorkKind.PEERS:
            return [[row.kind.value, folder, "--json", *row.arguments]]
        case WorkKind.INDEX:
            return [["index", folder, "--rebuild"]]
        case WorkKind.RANK:
            return [rank]
        case _:
            return [[row.kind.value, folder, *row.arguments]]


def _run_pages(row: WorkRow, portal: Path, store: Store) -> list[str]:
    """Return the budget of a run: the given number of pages on top of those it has; a new run if it is done."""
    if not row.pages:
        return []
    total = account_of(store).pages + row.pages
    settings = load(portal).settings
    if next_stage(store, settings, RunBudget(total)) is Stage.DONE:
        return ["--pages", str(row.pages), "--fresh"]
    return ["--pages", str(total)]


def _resumed_pages(row: WorkRow, store: Store) -> list[str]:
    """Return the budget of a resumed crawl: the given number of pages on top of those it has."""
    crawl = resumable_crawl(store)
    return ["--pages", str(crawl.progress.pages + row.pages)] if crawl is not None and row.pages else []


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
