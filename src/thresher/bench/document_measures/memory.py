"""Measures the memory of the process that reads files over many files."""

from collections.abc import Sequence
from typing import Final

import psutil
from msgspec import Struct

from thresher.bench.document_files import File, made_files
from thresher.bench.document_measures.measure import MADE, DocumentMeasure, DocumentPlan
from thresher.documents.sandbox import Sandbox

MARKS: Final = (0.1, 0.25, 0.5, 1.0)
"""Fractions of all documents at which memory is recorded."""


class MemoryFigures(Struct, frozen=True):
    """Memory in megabytes of the process that reads files, by number of documents; and the number of processes."""

    documents: list[int]
    memory_mb: list[float]
    processes: int


def measure_memory(files: Sequence[File], documents: int) -> MemoryFigures:
    """Read files repeatedly, `documents` in total, and record the memory of the process that reads them."""
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


def measure(plan: DocumentPlan) -> MemoryFigures:
    """Measure with generated files, which are the same everywhere."""
    return measure_memory(made_files(MADE), plan.documents)


def tell(found: MemoryFigures) -> list[str]:
    """Return a line about the memory of the reader."""
    grown = ", ".join(f"{size} MB at {at:,}" for at, size in zip(found.documents, found.memory_mb, strict=True))
    return [f"memory of the reader: {grown}; {found.processes} processes"]


MEASURE: Final = DocumentMeasure("memory", measure, tell)
