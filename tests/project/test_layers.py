"""Imports go downward only (docs/ARCHITECTURE.md, layers)."""

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "thresher"

LAYERS = [
    {
        *("__init__", "types", "site_types", "protocols", "reasons", "errors", "faults"),
        *("parameters", "registry", "shell_words", "file_rights", "work_steps", "work_faults", "tokens"),
        *("counting", "notebook_html"),
    },
    {"learn", "graph", "text"},
    {"web"},
    {"documents", "taxonomy", "classify", "store", "linkscores", "simweb", "sessions"},
    {"strategies"},
    {"reading"},
    {"shard"},
    {"config", "plugins"},
    {"portals", "models", "link_analysis", "exports", "accounts"},
    {"crawl", "train", "organise", "search", "peers"},
    {"analysers"},
    {"build_shard"},
    {"build"},
    {"runs", "simulate", "doctor"},
    {"api"},
    {"bench", "portal"},
    {"cli"},
    {"__main__", "portal_work"},
]
"""From the ground up. Parts of one layer do not know each other, but for those of the first."""

TOGETHER = [LAYERS[0]]
"""Layers whose parts may import one another."""

FORBIDDEN = {
    *(("crawl", "strategies"), ("reading", "strategies"), ("shard", "strategies")),
    *(("crawl", "plugins"), ("reading", "plugins"), ("shard", "plugins")),
    *(("crawl", "config"), ("reading", "config"), ("shard", "config")),
    ("strategies", "store"),
}
"""Pairs that are downward and forbidden all the same: a crawl names no strategy and reads no settings, and strategies
see of the repository what a view shows them."""

DATABASES = ("apsw", "sqlite3", "psycopg", "thresher.store.sqlite", "thresher.store.postgresql")
"""What only the repository knows."""

DATABASES_ELSEWHERE = {
    "store/repository.py": "the door: it picks the kind of repository",
    "sessions/history_file.py": "reads the histories of browsers, which are SQLite files of their own",
    "bench/rivals/fts5_search.py": "measures SQLite's full-text search against ours",
}
"""Files outside `store/` of one kind that name a database all the same, and why."""

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


def imports(nodes: Sequence[ast.AST]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"relative import in line {node.lineno}"
            whole = node.module.count(".") < 2
            found += [(f"{node.module}.{alias.name}" if whole else node.module, node.lineno) for alias in node.names]
    return [(name, line) for name, line in found if name == "thresher" or name.startswith("thresher.")]


def nodes_of(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def violations(module: str, nodes: Sequence[ast.AST]) -> list[str]:
    """Return what a module imports against the rules."""
    wrong: list[str] = []
    own = part_of(module)
    for name, line in imports(nodes):
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


def module_of(path: Path) -> str:
    return "thresher." + ".".join(path.relative_to(SOURCE).with_suffix("").parts)


@pytest.fixture(scope="module")
def parsed() -> dict[Path, list[ast.AST]]:
    """All nodes of every file of the package."""
    return {path: nodes_of(path.read_text()) for path in FILES}


def databases(path: str, nodes: Sequence[ast.AST]) -> list[str]:
    """Return which databases a file names, by its path in the package; those of its own kind of repository may."""
    inside = path.startswith(("store/sqlite/", "store/postgresql/"))
    if inside or path in DATABASES_ELSEWHERE:
        return []
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return [name for name in names if any(f"{name}.".startswith(f"{database}.") for database in DATABASES)]


def test_imports_go_downward(parsed: dict[Path, list[ast.AST]]) -> None:
    assert [wrong for path, nodes in parsed.items() for wrong in violations(module_of(path), nodes)] == []


def test_only_the_repository_names_a_database(parsed: dict[Path, list[ast.AST]]) -> None:
    named = {path: databases(path.relative_to(SOURCE).as_posix(), nodes) for path, nodes in parsed.items()}
    assert {path: names for path, names in named.items() if names} == {}


@pytest.mark.parametrize("path", DATABASES_ELSEWHERE)
def test_an_exception_for_a_database_is_needed(path: str) -> None:
    assert databases("elsewhere.py", nodes_of((SOURCE / path).read_text()))


@pytest.mark.parametrize(
    ("module", "source", "wrong"),
    [
        ("thresher.web.x", "from thresher.crawl.engine import Engine", True),
        ("thresher.store.x", "import thresher.documents.html", True),
        ("thresher.crawl.x", "from thresher.strategies.unfocused import Random", True),
        ("thresher.crawl.x", "from thresher.web.urls import canonical", False),
        ("thresher.crawl.x", "from thresher.train.training import fit_topics", True),
        ("thresher.train.x", "from thresher.runs.run import run", True),
        ("thresher.train.x", "from thresher.build import make_reader", True),
        ("thresher.train.x", "from thresher.models import save_model", False),
        ("thresher.models", "from thresher.portals import load_topics", True),
        ("thresher.search.x", "from thresher.crawl.engine import Engine", True),
        ("thresher.search.x", "from thresher.organise.clusters import Clusters", True),
        ("thresher.organise.x", "from thresher.store.protocol import Store", False),
        ("thresher.peers.x", "from thresher.models import load_classifier", False),
        ("thresher.peers.x", "from thresher.search.index import Index", True),
        ("thresher.runs.x", "from thresher.organise.clusters import Clusters", False),
        ("thresher.portal.x", "from thresher.runs.run import run", False),
        ("thresher.portal.x", "from thresher.bench.measures import recall", True),
        ("thresher.portal.x", "from thresher.cli.output import plain", True),
        ("thresher.sessions.x", "from thresher.store.protocol import Store", True),
        ("thresher.strategies.browsing_hmm", "from thresher.sessions.log import Session", False),
        ("thresher.strategies.websites.x", "from thresher.shard.shard import Shard", True),
        ("thresher.strategies.websites.x", "from thresher.classify.centroids import Centroids", False),
        ("thresher.build", "from thresher.config.load import load", False),
        ("thresher.crawl.x", "from thresher.shard.protocol import Shard", False),
        ("thresher.crawl.x", "from thresher.shard.values import Errand", False),
        ("thresher.crawl.x", "from thresher.shard.frontier import Frontier", True),
        ("thresher.build", "from thresher.shard import local", True),
        ("thresher.cli.x", "import thresher.shard.hosts", True),
        ("thresher.shard.x", "from thresher.shard.hosts import Hosts", False),
        ("thresher.build", "from thresher.runs.run import run", True),
    ],
)
def test_rule_itself(module: str, source: str, wrong: bool) -> None:
    assert bool(violations(module, nodes_of(source))) is wrong


@pytest.mark.parametrize(
    ("path", "source", "wrong"),
    [
        ("bench/x.py", "import apsw", True),
        ("cli/x.py", "from thresher.store.sqlite.store import SqliteBackend", True),
        ("store/archive/x.py", "from thresher.store.sqlite.failures import plain_failures", True),
        ("store/sqlite/x.py", "import apsw", False),
        ("store/repository.py", "from thresher.store.sqlite.store import SqliteBackend", False),
        ("cli/x.py", "from thresher.store.repository import open_store", False),
    ],
)
def test_rule_about_databases_itself(path: str, source: str, wrong: bool) -> None:
    assert bool(databases(path, nodes_of(source))) is wrong


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes of one cycle of a graph, none where it has none."""
    done: set[str] = set()

    def visit(node: str, way: list[str]) -> list[str]:
        if node in way:
            return way[way.index(node) :]
        if node not in done:
            for following in sorted(graph.get(node, ())):
                if found := visit(following, [*way, node]):
                    return found
            done.add(node)
        return []

    return next((found for node in sorted(graph) if (found := visit(node, []))), [])


def test_no_module_imports_itself_by_way_of_others(parsed: dict[Path, list[ast.AST]]) -> None:
    known = {module_of(path): nodes for path, nodes in parsed.items()}
    graph: dict[str, set[str]] = {}
    for module, nodes in known.items():
        whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        parts = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        inner = {f"{node.module}.{alias.name}" for node in parts for alias in node.names}
        graph[module] = (whole | inner | {str(node.module) for node in parts}) & known.keys()
    assert cycle(graph) == []


def test_cycles_are_found() -> None:
    assert cycle({"a": {"b"}, "b": {"c", "d"}, "c": {"d"}, "d": {"b"}}) == ["b", "c", "d"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_no_pickle_or_eval(parsed: dict[Path, list[ast.AST]]) -> None:
    for path, nodes in parsed.items():
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
                assert not {name.split(".")[0] for name in names} & {"pickle", "marshal", "shelve", "dill", "joblib"}, (
                    path
                )
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path
