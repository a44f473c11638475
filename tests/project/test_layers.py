"""Imports go downward only (docs/ARCHITECTURE.md, layers)."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "thresher"

LAYERS = [
    {"__init__", "types", "protocols", "reasons", "errors", "parameters", "registry"},
    {"learn", "graph", "text"},
    {"web"},
    {"documents", "taxonomy", "classify", "store", "linkscores", "simweb", "sessions"},
    {"strategies"},
    {"reading"},
    {"shard"},
    {"crawl", "organise", "search", "peers"},
    {
        *("analysers", "build", "config", "doctor", "link_analysis", "models", "plugins", "portals", "runs"),
        *("simulate", "train"),
    },
    {"bench", "portal"},
    {"cli"},
    {"__main__"},
]
TOGETHER = [LAYERS[0], LAYERS[8]]
"""Layers whose parts may import one another; elsewhere neighbours do not know each other."""

FORBIDDEN = {("crawl", "strategies"), ("reading", "strategies"), ("shard", "strategies")}
"""Pairs that are downward and forbidden all the same: the engine names no strategy."""

DOORS = {"shard": {"protocol", "values", "rules", "make"}}
"""What may be named of a part from outside: its protocol, the values that cross it, and how one is made."""


def part_of(module: str) -> str:
    """Return the part of the package a module belongs to."""
    names = module.split(".")
    return names[1] if len(names) > 1 else "__init__"


def rank(part: str) -> int:
    found = [level for level, parts in enumerate(LAYERS) if part in parts]
    assert found, f"'{part}' stands in no layer: add it to docs/ARCHITECTURE.md and to this test"
    return found[0]


def imports(tree: ast.AST) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"relative import in line {node.lineno}"
            whole = node.module.count(".") < 2
            found += [(f"{node.module}.{alias.name}" if whole else node.module, node.lineno) for alias in node.names]
    return [(name, line) for name, line in found if name == "thresher" or name.startswith("thresher.")]


def violations(module: str, source: str) -> list[str]:
    """Return what a module imports against the rules."""
    wrong: list[str] = []
    own = part_of(module)
    for name, line in imports(ast.parse(source)):
        other = part_of(name)
        if other not in {part for parts in LAYERS for part in parts}:
            other = "__init__"
        if other == own:
            continue
        upward = rank(other) > rank(own)
        sideways = rank(other) == rank(own) and not any(own in parts for parts in TOGETHER)
        hidden = other in DOORS and not (set(name.split(".")[2:3]) & DOORS[other])
        if upward or sideways or hidden or (own, other) in FORBIDDEN:
            wrong.append(f"{module}:{line} imports {name}")
    return wrong


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_downward(path: Path) -> None:
    module = "thresher." + ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    assert violations(module, path.read_text()) == []


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("thresher.web.x", "from thresher.crawl.engine import Engine", True),
        ("thresher.store.x", "import thresher.documents.html", True),
        ("thresher.crawl.x", "from thresher.strategies.unfocused import Random", True),
        ("thresher.crawl.x", "from thresher.web.urls import canonical", False),
        ("thresher.build", "from thresher.config.load import load", False),
        ("thresher.crawl.x", "from thresher.shard.protocol import Shard", False),
        ("thresher.crawl.x", "from thresher.shard.values import Errand", False),
        ("thresher.crawl.x", "from thresher.shard.frontier import Frontier", True),
        ("thresher.build", "from thresher.shard import local", True),
        ("thresher.cli.x", "import thresher.shard.hosts", True),
        ("thresher.shard.x", "from thresher.shard.hosts import Hosts", False),
    ],
)
def test_rule_itself(module: str, source: str, wrong: bool) -> None:
    assert bool(violations(module, source)) is wrong


def test_no_pickle_or_eval() -> None:
    for path in FILES:
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
                assert not {name.split(".")[0] for name in names} & {"pickle", "marshal", "shelve", "dill", "joblib"}, (
                    path
                )
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path
