"""What a host's newness and record count for, by what the scores of a strategy mean."""

import pytest

from thresher.build_shard import make_rules
from thresher.config.load import load
from thresher.plugins import make_strategy
from thresher.shard.rules import StandingRule


@pytest.mark.parametrize(
    ("strategy", "standing"),
    [
        ("query(text=tea)", StandingRule(discovery=0.2)),
        ("breadth-first", StandingRule()),
        ("default", StandingRule(record=0.5, variety=0.3, discovery=2.0)),
    ],
)
def test_new_hosts_count_where_scores_say_how_good_a_link_is(strategy: str, standing: StandingRule) -> None:
    settings = load(overrides=["focus.record=0.5", "focus.variety=0.3", "focus.discovery=2.0"]).settings
    rules = make_rules(settings, [], make_strategy(strategy, {}))
    assert rules.standing == standing
