"""Settings: layers, sources and errors a person understands."""

import os
from pathlib import Path

import pytest
from pydantic import BaseModel

from thresher.config.load import FILE, defaults, flat, load, nested
from thresher.config.settings import Settings
from thresher.errors import SettingsError


def test_defaults_fill_the_model_exactly() -> None:
    written = set(flat(defaults()))
    declared = set()
    for section, field in Settings.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            declared |= {f"{section}.{name}" for name in field.annotation.model_fields}
    assert written == declared


def test_layers_override_and_every_value_knows_its_source(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[manners]\ndelay = 3\n[network.map]\n"*.test" = "127.0.0.1:80"\n')
    loaded = load(tmp_path, ["crawl.pages=5", "crawl.scope=hosts"])
    assert loaded.settings.manners.delay == 3
    assert loaded.settings.crawl.pages == 5
    assert loaded.settings.crawl.scope == "hosts"
    assert loaded.settings.network.map == {"*.test": "127.0.0.1:80"}
    assert loaded.sources["manners.delay"] == str(tmp_path / FILE)
    assert loaded.sources["crawl.pages"] == "command line"
    assert loaded.sources["frontier.bound"] == "default"


@pytest.mark.parametrize(
    ("text", "sentence", "remedy"),
    [
        ("[manners]\ndelai = 3\n", "no setting 'manners.delai'", "Did you mean 'manners.delay'?"),
        ("[maners]\ndelay = 3\n", "no setting 'maners.delay'", "Did you mean 'manners.delay'?"),
        ("x = 1\n", "no setting 'x'", "thresher config show"),
        ("[crawl]\npages = many\n", "line 2", "Fix that line"),
        ("[crawl]\npages = -1\n", "crawl.pages = -1", "--key crawl.pages"),
        ('[manners]\ndelay = "soon"\n', "manners.delay = 'soon'", "--key manners.delay"),
        ("crawl = 3\n", "no setting 'crawl'", ""),
        ("[train]\nexplore = 9\n", "There is no setting 'train.explore'", "Remove it."),
        ("[engine]\nreview_every = 9\n", "is now called 'engine.reorder_every'", "Use the new name."),
    ],
)
def test_wrong_file_gets_one_sentence_and_a_remedy(tmp_path: Path, text: str, sentence: str, remedy: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(tmp_path)
    assert sentence in caught.value.sentence
    assert remedy in caught.value.remedy
    assert caught.value.exit_code == 3


def test_strategy_tables_are_the_users_own(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("[strategy.random]\nseed = 4\n")
    assert load(tmp_path).settings.strategy == {"random": {"seed": 4}}


def test_binary_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path)


@pytest.mark.parametrize("override", ["manners.delay", "manners.delay=never", "no.such=1"])
def test_wrong_override_is_refused(override: str) -> None:
    with pytest.raises(SettingsError):
        load(overrides=[override])


def test_a_snapshot_is_read_back_as_it_was() -> None:
    settings = load(overrides=["crawl.exclude=['*x*']"]).settings
    assert Settings.model_validate(settings.model_dump(mode="json")) == settings
    assert nested(flat(settings.model_dump())) == settings.model_dump()


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "{a = " * 5000 + "1" + "}" * 5000,
        "a" + ".a" * 5000 + " = 1",
        "[" + "a." * 5000 + "a]\nb = 1",
    ],
    ids=["lists", "tables", "dotted keys", "dotted tables"],
)
def test_deep_nesting_is_told_in_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(SettingsError, match=r"nested too deeply|no setting"):
        load(tmp_path)
    with pytest.raises(SettingsError):
        load(overrides=[f"manners.delay={'[' * 5000}"])


def test_a_pipe_in_the_place_of_settings_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    with pytest.raises(SettingsError, match="is not a file"):
        load(tmp_path)


@pytest.mark.parametrize(
    "setting", ['network.map={"*"="127.0.0.1:80"}', 'network.map={"a.test"="b.test"}', 'network.allow=["*"]']
)
def test_hosts_that_cannot_be_meant_are_refused_when_settings_are_read(setting: str) -> None:
    with pytest.raises(SettingsError, match=r"in network\.(map|allow) is no"):
        load(None, [setting])


@pytest.mark.parametrize("address", ["portal.example", "ftp://portal.example/", "https://"])
def test_the_address_for_peers_is_one_of_the_web(address: str) -> None:
    with pytest.raises(SettingsError, match=r"peers\.address.* is invalid: it should start with https://"):
        load(None, [f"peers.address={address}"])
    assert load(None, ["peers.address="]).settings.peers.address == ""
