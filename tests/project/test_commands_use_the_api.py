"""Commands on portals do their work through `thresher.api`, so that everything they do can be done in Python."""

import ast
from pathlib import Path

import pytest

CLI = Path(__file__).parents[2] / "src" / "thresher" / "cli"

EXEMPT = {
    "serve": "starts the web portal, which is written on top of the API, so that the API cannot start it",
    "worker": "starts the worker of a web portal, for the same reason",
    "web": "generates a web to crawl: there is no portal",
    "demo": "generates a web, and serves the portal it makes of it",
    **dict.fromkeys(("main", "display", "interrupts", "json_shapes"), "runs commands and shows their progress"),
}
"""Modules that may use other parts, and what they do instead of working on a portal; so may all `bench_*` modules."""

VALUES = {
    *("thresher.errors", "thresher.reasons", "thresher.types", "thresher.work_steps"),
    *(
        "thresher.store.records",
        "thresher.store.page_records",
        "thresher.store.url_records",
        "thresher.store.explain",
        "thresher.store.explanation_data",
        "thresher.store.decisions",
        "thresher.store.organise_records",
        "thresher.store.browsing",
        "thresher.store.peer_records",
        "thresher.store.portal_records",
    ),
    *("thresher.site_types", "thresher.exports.site_files", "thresher.runs.site_explanation"),
    *(
        "thresher.learn.error_curve",
        "thresher.peers.using",
        "thresher.crawl.phases.retraining",
        "thresher.train.changed_topics",
    ),
    *("thresher.portal.messages", "thresher.portal.report_text", "thresher.shell_words", "thresher.counting"),
    *("thresher.search.results", "thresher.search.sentence", "thresher.train.report", "thresher.learn.quality"),
    *("thresher.runs.whole", "thresher.crawl.budget", "thresher.exports.page_files"),
    *("thresher.text.words", "thresher.web.urls"),
}
"""What calls of the API return, the reasons in it, and pure functions that help to print it."""

WORKERS = {
    *("open_store", "load", "run", "run_whole", "train", "explain", "explain_site", "stage_of"),
    *("write_pages", "write_sites", "topics_changed", "learnt_topics", "Retraining"),
    *("get_models", "choose"),
}
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


def exempt(module: Path) -> bool:
    return module.stem in EXEMPT or module.stem == "bench" or module.stem.startswith("bench_")


@pytest.mark.parametrize("module", sorted(CLI.glob("*.py")), ids=lambda module: module.stem)
def test_a_command_on_portals_calls_the_api_alone(module: Path) -> None:
    if exempt(module):
        assert module.stem not in EXEMPT or wrong(module.read_text()), "an exception that is no longer needed"
    else:
        assert wrong(module.read_text()) == []


def test_every_exception_is_a_module() -> None:
    assert {name for name in EXEMPT if not (CLI / f"{name}.py").exists()} == set()


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
