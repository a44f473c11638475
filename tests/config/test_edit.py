"""Changing settings files: everything else stays as a person wrote it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.config.edit import change_setting, with_value
from thresher.config.load import load
from thresher.errors import SettingsError

TEXT = """# Mine.
[network]
# Seen by webmasters.
contact = "a@b.test"

[portal]
title = "Old"
hosts = [
  "a.test",
]
"""


@pytest.mark.parametrize(
    ("key", "value", "lines"),
    [
        ("network.contact", "c@d.test", ['contact = "c@d.test"', "# Seen by webmasters.", "# Mine."]),
        ("portal.about", "New", ['about = "New"', 'title = "Old"']),
        ("manners.delay", 2.0, ["[manners]", "delay = 2.0", "# Mine."]),
        ("network.contact", None, ["# Seen by webmasters."]),
    ],
)
def test_one_value_changes_and_comments_stay(key: str, value: object, lines: list[str]) -> None:
    fresh = with_value(TEXT, key, value)
    for line in lines:
        assert line in fresh.splitlines()
    if value is None:
        assert "contact" not in fresh


def test_a_list_over_several_lines_is_replaced_whole() -> None:
    fresh = tomllib.loads(with_value(TEXT, "portal.hosts", ["b.test"]))
    assert fresh["portal"] == {"title": "Old", "hosts": ["b.test"]}
    assert fresh["network"] == {"contact": "a@b.test"}


@given(st.text(max_size=40), st.sampled_from(["network.contact", "portal.title", "portal.about", "crawl.strategy"]))
def test_any_text_is_written_as_it_is_read(value: str, key: str) -> None:
    section, _, name = key.partition(".")
    value = value.replace("\r", "")
    for text in ("", TEXT, TEXT.rstrip("\n"), f"[{section}]"):
        assert tomllib.loads(with_value(text, key, value))[section][name] == value


def test_a_wrong_value_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "thresher.toml"
    file.write_text(TEXT)
    with pytest.raises(SettingsError):
        change_setting(tmp_path, "manners.delay", -3)
    with pytest.raises(SettingsError):
        change_setting(tmp_path, "manners.dely", 3)
    assert file.read_text() == TEXT
    change_setting(tmp_path, "portal.title", 'A "new" one')
    assert load(tmp_path).settings.portal.title == 'A "new" one'
    assert file.stat().st_mode & 0o077 == 0
