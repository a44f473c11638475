"""Measures how fast files are read and how many contain text, by type."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import psutil
from msgspec import Struct

from thresher.bench.document_files import File
from thresher.bench.document_measures.measure import DocumentMeasure, DocumentPlan
from thresher.documents.formats.extract import Extract
from thresher.documents.sandbox import Parts, Sandbox

NO_TEXT: Final = frozenset(["no-text", "encrypted"])


class KindFigures(Struct, frozen=True, kw_only=True):
    """The figures for files of one type.

    `texts` counts files with text, `without` those that have none (empty, images only, encrypted); the others were
    refused for the `reasons` given. Times are the median and mean CPU time of both processes, in milliseconds.
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


def measure_kinds(files: Iterable[File]) -> list[KindFigures]:
    """Read every file once and return the figures by type."""
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
    """Return the CPU time, in seconds, of this process and the one that reads files."""
    pid = sandbox.pid
    own = time.process_time()
    if pid is None:
        return own
    try:
        # In nanoseconds if the kernel provides that; otherwise in steps of ten milliseconds.
        return own + int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        times = psutil.Process(pid).cpu_times()
        return own + times.user + times.system


def _outcome(found: Parts) -> str:
    """Return "" if a file gave text, otherwise why not; an archive gives text if one of its members does."""
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


def measure(plan: DocumentPlan) -> list[KindFigures]:
    """Read every file of a plan."""
    return measure_kinds(plan.files())


def tell(rows: Sequence[KindFigures]) -> list[str]:
    """Return a table with one line per type."""
    lines = ["files  text  none  refused      MB  median ms  mean ms  files/s  type"]
    for row in rows:
        refused = row.files - row.texts - row.without
        lines.append(
            f"{row.files:>5}{row.texts:>6}{row.without:>6}{refused:>9}{row.megabytes:>8.1f}{row.median_ms:>11.1f}"
            f"{row.mean_ms:>9.1f}{row.files_per_second:>9.1f}  {row.mime}"
        )
        lines += [f"{'':26}{count:>8}  {reason}" for reason, count in row.reasons.items()]
    return lines


MEASURE: Final = DocumentMeasure("kinds", measure, tell)
