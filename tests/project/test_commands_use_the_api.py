"""Commands on portals do their work through `thresher.api`, so that everything they do can be done in Python."""

import ast
from pathlib import Path

import pytest

import thresher

CLI = Path(__file__).parents[2] / "src" / "thresher" / "cli"

GENERATED = {
    "web": "generates a web to crawl: there is no portal",
    "demo": "generates a web, builds a portal of it, and marks that portal as a demo",
}
"""Commands about the generated web, which may use `thresher.simweb`; `bench` and all `bench_*` modules may use all."""

MARKS = {"demo": {"DEMO", "mark_demo"}}
"""What such a command uses of `thresher.portals`, which serves the demo only."""

SINGLE = {
    "thresher.runs.training": {"Watch"},
    "thresher.crawl.engine": {"Engine"},
    "thresher.crawl.clock": {"run_real"},
}
"""What a caller needs that waits for a long call in its own way (`thresher.api.waiting.Waits`)."""

VALUES = {
    *("thresher.errors", "thresher.faults", "thresher.reasons", "thresher.types", "thresher.work_steps"),
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
    *(
        "thresher.portal.messages",
        "thresher.portal.report_text",
        "thresher.portal.serving",
        "thresher.shell_words",
        "thresher.counting",
    ),
    *("thresher.search.results", "thresher.search.sentence", "thresher.train.report", "thresher.learn.quality"),
    *("thresher.runs.whole", "thresher.crawl.budget", "thresher.exports.page_files"),
    *("thresher.text.words", "thresher.web.urls"),
}
"""What calls of the API return, the reasons in it, and pure functions that help to print it."""

WORKERS = {
    *("open_store", "load", "run", "run_whole", "train", "explain", "explain_site", "stage_of"),
    *("write_pages", "write_sites", "topics_changed", "learnt_topics", "Retraining"),
    *("get_models", "choose", "serve"),
}
"""Names in modules of values that do work."""


def wrong(source: str, command: str = "") -> list[str]:
    """Return what a module imports besides the API, other command modules and values."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.startswith("thresher.")]
        elif isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "thresher":
            found += unfit(str(node.module), {alias.name for alias in node.names}, command)
    return found


def unfit(module: str, names: set[str], command: str) -> list[str]:
    """Return which names a command must not import from a module; the module itself if it may import none."""
    free = ("thresher.api.", "thresher.cli.", *(["thresher.simweb."] if command in GENERATED else []))
    if f"{module}.".startswith(free):
        return []
    if module == "thresher":
        return sorted(f"thresher.{name}" for name in names - set(thresher.__all__))
    allowed = SINGLE.get(module, MARKS.get(command, set()) if module == "thresher.portals" else set())
    if module not in VALUES and not allowed:
        return [module]
    return [f"{module}.{name}" for name in sorted(names & WORKERS if module in VALUES else names - allowed)]


def of_the_bench(module: Path) -> bool:
    return module.stem == "bench" or module.stem.startswith("bench_")


@pytest.mark.parametrize("module", sorted(CLI.glob("*.py")), ids=lambda module: module.stem)
def test_a_command_on_portals_calls_the_api_alone(module: Path) -> None:
    assert of_the_bench(module) or wrong(module.read_text(), module.stem) == []


@pytest.mark.parametrize("name", GENERATED)
def test_an_exception_is_needed(name: str) -> None:
    assert wrong((CLI / f"{name}.py").read_text())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from thresher.store.repository import open_store", ["thresher.store.repository"]),
        ("from thresher.runs.whole import Stage, run_whole", ["thresher.runs.whole.run_whole"]),
        ("import thresher.search", ["thresher.search"]),
        ("from thresher.api.portal import Portal\nfrom thresher.runs.whole import Stage", []),
        ("from thresher import runs", ["thresher.runs"]),
        ("import thresher\nfrom thresher import Portal, serve", []),
        ("from thresher.portal.serving import Served, serve", ["thresher.portal.serving.serve"]),
        ("from thresher.crawl.engine import Engine, make", ["thresher.crawl.engine.make"]),
        ("from thresher.portals import mark_demo", ["thresher.portals"]),
    ],
)
def test_rule_itself(source: str, found: list[str]) -> None:
    assert wrong(source) == found
