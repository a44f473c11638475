"""The versions behind a figure: the program, its code and relevant libraries."""

import inspect
import platform
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import thresher
from thresher import __version__
from thresher.bench.code_digest import code_digest
from thresher.bench.oracle import NAME as ORACLE
from thresher.parameters import parse
from thresher.plugins import strategy_class

CODE: Final = (
    "types.py",
    "parameters.py",
    "plugins.py",
    "registry.py",
    "analysers.py",
    "text",
    "web/urls.py",
    "documents",
    "learn",
    "classify",
    "graph",
    "linkscores",
    "sessions",
    "strategies",
    "reading",
    "shard",
    "crawl",
    "store/memory",
    "store/logentries.py",
    "build.py",
    *(
        f"bench/{name}.py"
        for name in (
            "answering",
            "assignment",
            "back_links",
            "committee",
            "crawling",
            "description",
            "distant_hosts",
            "experiment",
            "link_graph",
            "oracle",
            "page_building",
            "page_cache",
            "playback",
            "protocol",
            "measures",
        )
    ),
    "bench/webs",
)
"""The code on which the figures of a run depend; missing folders count as empty."""

LIBRARIES: Final = ("msgspec", "numpy", "scikit-learn", "scipy", "selectolax", "PyStemmer")


@lru_cache(maxsize=64)
def versions(strategy: str) -> dict[str, str]:
    """Return the versions behind a run of a strategy; an external strategy counts with its own source.

    The sources are read once per process, since later changes do not affect it.
    """
    also = [] if parse(strategy)[0] == ORACLE else _source(strategy_class(parse(strategy)[0]))
    return {
        "thresher": __version__,
        "code": code_digest(CODE, also),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


@cache
def product_versions() -> dict[str, str]:
    """Return the versions behind a run of the whole product: all its code except the commands."""
    root = Path(thresher.__file__).parent
    parts = sorted(path.name for path in root.iterdir() if path.is_dir() or path.suffix == ".py")
    return {
        "thresher": __version__,
        "code": code_digest([part for part in parts if part != "cli"], [root / "config/defaults.toml"]),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def _source(kind: type) -> list[Path]:
    path = inspect.getsourcefile(kind) if not kind.__module__.startswith("thresher.") else None
    return [Path(path)] if path else []
