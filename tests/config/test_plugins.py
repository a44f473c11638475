"""Plug-ins by name, path and parameters."""

from pathlib import Path

import pytest

from thresher.errors import PluginError
from thresher.parameters import parse
from thresher.plugins import STRATEGIES, make_strategy, strategy_class, strategy_names
from thresher.strategies.link_context import LinkContext
from thresher.strategies.unfocused import Random


def test_every_name_makes_a_strategy() -> None:
    assert set(STRATEGIES) <= set(strategy_names())
    for name in STRATEGIES:
        assert make_strategy(name) is not None


def test_parameters_come_from_settings_and_brackets_win() -> None:
    settings = {"random": {"seed": 3}}
    made = make_strategy("random", settings)
    assert isinstance(made, Random)
    assert made.seed == 3
    made = make_strategy("random( seed = 9 )", settings)
    assert isinstance(made, Random)
    assert made.seed == 9


def test_names_may_fix_some_parameters_and_leave_others_free() -> None:
    made = make_strategy("window-20-combined(beta=0.5)")
    assert isinstance(made, LinkContext)
    assert (made.context, made.size, made.combined, made.beta) == ("window", 20, True, 0.5)
    made = make_strategy("tag-tree", {"tag-tree": {"plain": True}})
    assert isinstance(made, LinkContext)
    assert (made.context, made.size, made.combined, made.plain) == ("tag-tree", 40, False, True)


def test_dotted_path_names_a_users_own_class() -> None:
    assert strategy_class("thresher.strategies.unfocused:Random") is Random


@pytest.mark.parametrize(
    ("spec", "remedy"),
    [
        ("breath-first", "breadth-first"),
        ("random(sed=1)", "Did you mean 'seed'?"),
        ("random(seed=x)", "type int"),
        ("random(seed)", "Separate"),
        ("breadth-first(a=1)", "It takes: none"),
        ("no.such.module:Thing", "dotted path"),
        ("thresher.types:Candidate", "read and rank"),
        ("thresher.types:Priority", "package.module:Class"),
        ("(", "random(seed=7)"),
        ("builtins:dict", "read and rank"),
        ("window-40(size=10)", "It takes: none"),
        ("default(review_every=9)", "Did you mean 'reorder_every'?"),
        ("window-40-combined(bet=0.5)", "Did you mean 'beta'?"),
        ("tag-tree(context=page)", "It takes: size, least, plain"),
        ("random(seed=7", "a shell needs the quotes"),
    ],
)
def test_misuse_gets_a_remedy(spec: str, remedy: str) -> None:
    with pytest.raises(PluginError) as caught:
        make_strategy(spec)
    assert remedy in caught.value.remedy


def test_module_in_the_working_directory_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_for_test.py").write_text(
        "class Own:\n"
        "    def __init__(self, a, weight: float | None = None, b=False, *, need: int = 1):\n"
        "        self.values = (a, weight, b, need)\n"
        "    def read(self, page, judgement): return []\n"
        "    def rank(self, reading, view): return []\n"
    )
    monkeypatch.chdir(tmp_path)
    made = make_strategy("mine_for_test:Own(a=x;weight=2;b=true)")
    assert made.values == ("x", 2.0, True, 1)  # type: ignore[attr-defined]
    with pytest.raises(PluginError, match="cannot be created"):
        make_strategy("mine_for_test:Own")


def test_spec_is_parsed() -> None:
    assert parse("a-b") == ("a-b", {})
    assert parse("x.y:Z(k=1; v=two)") == ("x.y:Z", {"k": "1", "v": "two"})
