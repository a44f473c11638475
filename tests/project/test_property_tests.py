"""Property tests have no deadline: how long an example takes says something about the machine, not about the code."""

import ast
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).parents[1]


def deadlines(source: str) -> list[int]:
    """Return the lines in which hypothesis is given a deadline."""
    return [
        call.lineno
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in ("settings", "register_profile")
        for keyword in call.keywords
        if keyword.arg == "deadline" and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
    ]


def test_the_profile_has_none() -> None:
    assert settings.default is not None
    assert settings.default.deadline is None


def test_no_test_sets_one() -> None:
    for path in sorted(TESTS.rglob("*.py")):
        assert deadlines(path.read_text()) == [], path


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@settings(max_examples=3, deadline=500)\ndef test(): pass", [1]),
        ("hypothesis.settings(deadline=None)", []),
        ("x = 1\nTest.settings = settings(deadline=timedelta(seconds=1))", [2]),
        ("pool(deadline=5)", []),
    ],
)
def test_rule_itself(source: str, found: list[int]) -> None:
    assert deadlines(source) == found
