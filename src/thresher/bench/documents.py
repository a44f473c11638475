"""Runs all measures of document reading: speed, share with text, memory, and effect on a crawl.

Each file in `bench/document_measures/` declares one; other packages can add more with an entry point in the group
`thresher.document_measures`.
"""

from typing import Final

from thresher.bench.document_measures.measure import DocumentMeasure
from thresher.registry import Registry

MEASURES: Final = Registry(
    DocumentMeasure,
    package="thresher.bench.document_measures",
    group="thresher.document_measures",
    noun="measure of documents",
)
