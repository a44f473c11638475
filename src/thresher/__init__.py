"""Thresher: a focused crawler and portal builder.

    from thresher import Portal

    portal = Portal.create("my-portal", bookmarks="bookmarks.html", contact="you@example.org")
    portal.run(pages=5000, progress=True)
    for page in portal.pages("Science/Physics"):
        print(page.confidence, page.title, page.url)

Exported names are imported lazily to keep `import thresher` fast.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_EXPORTED = {
    "Portal": "thresher.api.portal",
    "Pages": "thresher.api.pages",
    "Page": "thresher.api.pages",
    "Report": "thresher.api.reports",
    "Progress": "thresher.store.records",
    "Strategy": "thresher.protocols",
    "Classifier": "thresher.protocols",
    "Candidate": "thresher.types",
    "Judgement": "thresher.types",
    "children": "thresher.strategies.children",
    "ThresherError": "thresher.errors",
    "serve": "thresher.portal.serving",
}
"""The exported names and the modules that define them."""

_CALLED = {"Classifier": "PageClassifier"}
"""Exported names that differ from the names in their modules."""

__all__ = [  # noqa: PLE0604
    "__version__",
    *_EXPORTED,
]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTED:
        raise AttributeError(f"module 'thresher' has no attribute {name!r}")
    found = getattr(importlib.import_module(_EXPORTED[name]), _CALLED.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_EXPORTED})
