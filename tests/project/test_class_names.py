"""One name, one meaning: a public class name stands for one class."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "thresher"

SHARED = {
    name: f"{what} of a portal: for users in `api/`, as stored in `store/`"
    for name, what in {
        "Archetypes": "the archetypes",
        "Browsing": "the browsing sessions",
        "Crawls": "the crawls",
        "Organising": "the steps that moved pages",
        "Peers": "the known portals",
        "Sites": "the websites",
        "Users": "the accounts",
    }.items()
}
"""Names of two classes that stand for the same thing in two layers, and what it is."""


def defined_twice(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the public class names that several modules define, with these; a source is its path and its text."""
    places = defaultdict(list)
    for path, text in sources:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    return {name: found for name, found in places.items() if len(found) > 1}


def package() -> list[tuple[str, str]]:
    return [(path.relative_to(SOURCE).as_posix(), path.read_text()) for path in sorted(SOURCE.rglob("*.py"))]


def test_every_class_name_has_one_meaning() -> None:
    found = defined_twice(package())
    assert {name: places for name, places in found.items() if name not in SHARED} == {}
    assert set(SHARED) <= set(found), "an exception that is no longer needed"


def test_shared_names_are_an_interface_in_the_api_and_its_tables_in_the_store() -> None:
    folders = {name: [path.split("/")[0] for path in places] for name, places in defined_twice(package()).items()}
    assert {name: found for name, found in folders.items() if found != ["api", "store"]} == {}


def test_a_name_defined_twice_is_found() -> None:
    sources = [
        ("a.py", "class Place: ..."),
        ("b.py", "class Place: ..."),
        ("c.py", "class _Place: ...\nclass Port: ..."),
    ]
    assert defined_twice(sources) == {"Place": ["a.py", "b.py"]}
