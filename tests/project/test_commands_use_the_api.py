"""Commands on portals do their work through `thresher.api`, so that everything they do can be done in Python."""

import ast
from pathlib import Path

import pytest

CLI = Path(__file__).parents[2] / "src" / "thresher" / "cli"

ON_THE_API = {
    *("new", "topics", "train", "features", "run", "phases", "crawl", "ask", "refresh", "archetypes", "reclassify"),
    *("search", "profiles", "index", "rank", "status", "pages", "explain", "log", "archive"),
}
"""Modules of commands that work on a portal; the others administer, serve, measure or make webs."""

VALUES = {
    *("thresher.errors", "thresher.reasons", "thresher.types"),
    *(
        "thresher.store.records",
        "thresher.store.page_records",
        "thresher.store.url_records",
        "thresher.store.explain",
        "thresher.store.explanation_data",
        "thresher.store.decisions",
    ),
    *("thresher.search.results", "thresher.search.sentence", "thresher.train.report", "thresher.learn.quality"),
    *("thresher.runs.whole", "thresher.crawl.budget", "thresher.exports.page_files"),
    *("thresher.text.words", "thresher.web.urls"),
}
"""What calls of the API return, the reasons in it, and pure functions that help to print it."""

WORKERS = {"open_store", "load", "run", "run_whole", "train", "explain", "write_pages", "stage_of"}
"""Names in modules of values that do work."""


def wrong(source: str) -> list[str]:
    """Return what a module imports besides the API, other command modules and values."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.startswith("thresher")]
        elif isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "thresher":
            module = str(node.module)
            allowed = module.startswith(("thresher.api.", "thresher.cli.")) or module in VALUES
            working = {alias.name for alias in node.names} & WORKERS if module in VALUES else set()
            found += [module] if not allowed else [f"{module}.{name}" for name in sorted(working)]
    return found


@pytest.mark.parametrize("name", sorted(ON_THE_API))
def test_a_command_on_portals_calls_the_api_alone(name: str) -> None:
    assert wrong((CLI / f"{name}.py").read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from thresher.store.repository import open_store", ["thresher.store.repository"]),
        ("from thresher.runs.whole import Stage, run_whole", ["thresher.runs.whole.run_whole"]),
        ("import thresher.search", ["thresher.search"]),
        ("from thresher.api.portal import Portal\nfrom thresher.runs.whole import Stage", []),
    ],
)
def test_rule_itself(source: str, found: list[str]) -> None:
    assert wrong(source) == found
