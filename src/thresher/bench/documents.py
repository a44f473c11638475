"""Reading documents: how fast, how many give text, in how much memory, and what they add to a crawl."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import psutil
from msgspec import Struct

from thresher.bench.document_files import File
from thresher.documents.formats.extract import Extract
from thresher.documents.sandbox import Parts, Sandbox
from thresher.simulate import simulate
from thresher.simweb.file_pages import document_url, form_of
from thresher.simweb.pages import Flag
from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web

MARKS: Final = (0.1, 0.25, 0.5, 1.0)
"""Shares of all documents at which memory is noted."""

HTML_ONLY: Final = 'network.types={"text/html"=10000000}'
NO_TRAPS: Final = "manners.traps=false"


class KindFigures(Struct, frozen=True, kw_only=True):
    """What was measured on the files of one type.

    `texts` of them gave text, `without` had none (empty, pictures only, encrypted), all others were refused for the
    `reasons` that stand there; times are medians and means of processor time of both processes, in milliseconds.
    """

    mime: str
    files: int
    texts: int
    without: int
    reasons: dict[str, int]
    megabytes: float
    median_ms: float
    mean_ms: float
    files_per_second: float


class MemoryFigures(Struct, frozen=True):
    """Memory of the process that reads files, in megabytes, after so many documents; and how often it was replaced."""

    documents: list[int]
    memory_mb: list[float]
    processes: int


class CrawlFigures(Struct, frozen=True, kw_only=True):
    """What documents add to a crawl of a generated web in which so large a `share` of the pages are files.

    Recall is the share of all targets, pages on some topic, that a crawl of everything stores; `html_recall` where
    only HTML is read.
    """

    share: float
    pages: int
    targets: int
    files: int
    recall: float
    html_recall: float
    stored: int
    html_stored: int


NO_TEXT: Final = frozenset(["no-text", "encrypted"])


def measure_kinds(files: Iterable[File]) -> list[KindFigures]:
    """Read every file once and say what came of it, type by type."""
    sandbox = Sandbox()
    sandbox.read(b"{\\rtf1 warm}", "application/rtf", "http://bench.test/warm.rtf")
    rows: dict[str, list[tuple[float, float, int, str]]] = {}
    for file in files:
        before, started = _processor(sandbox), time.perf_counter()
        found = sandbox.read(file.body, file.mime, f"http://bench.test/{len(rows)}")
        seconds = time.perf_counter() - started
        spent = max(0.0, _processor(sandbox) - before)
        rows.setdefault(file.mime, []).append((spent, seconds, len(file.body), _outcome(found)))
    sandbox.close()
    return [_figures(mime, row) for mime, row in sorted(rows.items())]


def _processor(sandbox: Sandbox) -> float:
    """Return the processor time, in seconds, of this process and the one that reads."""
    pid = sandbox.pid
    own = time.process_time()
    if pid is None:
        return own
    try:
        # In nanoseconds, where the kernel says so; elsewhere times come in steps of ten milliseconds.
        return own + int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        times = psutil.Process(pid).cpu_times()
        return own + times.user + times.system


def _outcome(found: Parts) -> str:
    """Return "" where a file gave text, else why it gave none; an archive gives text if one of its members does."""
    if any(isinstance(part.found, Extract) for part in found.parts):
        return ""
    reasons = [part.found.reason.value for part in found.parts if not isinstance(part.found, Extract)]
    return Counter(reasons).most_common(1)[0][0] if reasons else "no-text"


def _figures(mime: str, rows: Sequence[tuple[float, float, int, str]]) -> KindFigures:
    reasons = Counter(reason for *_, reason in rows if reason)
    spent = [1000 * processor for processor, *_ in rows]
    return KindFigures(
        mime=mime,
        files=len(rows),
        texts=len(rows) - reasons.total(),
        without=sum(number for reason, number in reasons.items() if reason in NO_TEXT),
        reasons=dict(reasons),
        megabytes=round(sum(size for _, _, size, _ in rows) / 1e6, 2),
        median_ms=round(median(spent), 2),
        mean_ms=round(sum(spent) / len(spent), 2),
        files_per_second=round(len(rows) / sum(seconds for _, seconds, _, _ in rows), 1),
    )


def measure_memory(files: Sequence[File], documents: int) -> MemoryFigures:
    """Read files again and again, so many in all, and note the memory of the process that reads them."""
    sandbox = Sandbox()
    marks = [max(1, round(documents * mark)) for mark in MARKS]
    memory: list[float] = []
    processes: set[int] = set()
    for number in range(1, documents + 1):
        file = files[number % len(files)]
        sandbox.read(file.body, file.mime, "http://bench.test/file")
        if sandbox.pid is not None:
            processes.add(sandbox.pid)
            if number in marks:
                memory.append(round(psutil.Process(sandbox.pid).memory_info().rss / 1e6, 1))
    sandbox.close()
    return MemoryFigures(marks, memory, len(processes))


def measure_crawl(pages: int = 2000, share: float = 0.2, seed: int = 0) -> CrawlFigures:
    """Crawl all of a generated web twice, with its files and with HTML alone."""
    web = Web(WebParameters(pages=pages, hosts=max(2, pages // 40), seed=seed, profile="finite", documents=share))
    targets = {page for topic in web.topics() for page in map(web.page, web.targets(topic)) if page is not None}
    kept = (page for page in targets if web.reachable[page] and not web.pages.flagged(page, Flag.NOINDEX))
    wanted = {document_url(web, page) for page in kept}
    stored = set(simulate(web, overrides=[NO_TRAPS]).store.documents.urls())
    html = set(simulate(web, overrides=[NO_TRAPS, HTML_ONLY]).store.documents.urls())
    files = sum(form_of(web, page) != "html" for page in range(len(web.urls)))
    return CrawlFigures(
        share=share,
        pages=pages,
        targets=len(wanted),
        files=files,
        recall=round(len(wanted & stored) / len(wanted), 4),
        html_recall=round(len(wanted & html) / len(wanted), 4),
        stored=len(stored),
        html_stored=len(html),
    )
