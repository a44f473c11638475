import json

import pytest

from thresher.errors import InputError
from thresher.simweb.manifest import digest, load, write
from thresher.simweb.parameters import WebParameters
from thresher.simweb.render import render
from thresher.simweb.web import Web


@pytest.fixture(scope="module")
def written(mixed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("webs") / "one"
    write(mixed, folder)
    return folder


def test_a_loaded_web_is_the_same(mixed, written):
    web = load(written)
    assert web.parameters == mixed.parameters
    assert digest(web) == digest(mixed)
    assert render(web, 1) == render(mixed, 1)


def test_the_manifest_tells_the_truth(mixed, written):
    rows = [json.loads(line) for line in (written / "manifest.jsonl").read_text().splitlines()]
    assert [row["url"] for row in rows] == mixed.urls
    labels = mixed.labels()
    kinds = set()
    for number, row in enumerate(rows):
        assert row["page"] == number
        assert row["links"] == mixed.links(number)
        assert row["url"].startswith(f"http://{row['host']}/")
        assert labels.get(row["url"]) == (row["topic"] if row["status"] == 200 else None)
        assert (row["to"] is not None) == (row["kind"] == "redirect")
        assert (row["mirror_of"] is not None) == (row["kind"] == "mirror")
        assert (row["duplicate_of"] is not None) == (row["kind"] == "near-duplicate")
        assert not (row["disallowed"] and row["reachable"])
        kinds.add(row["kind"])
    assert kinds == {
        "content", "noise", "welcome", "hub", "mirror", "near-duplicate", "redirect", "error", "trap",
    }  # fmt: skip


def test_the_summary_names_topics_hosts_traps_and_starts(mixed, written):
    summary = json.loads((written / "web.json").read_text())
    assert summary["parameters"]["seed"] == mixed.parameters.seed
    assert [topic["path"] for topic in summary["topics"]] == mixed.topics()
    assert len(summary["hosts"]) == len(mixed.hosts)
    assert {trap["kind"] for trap in summary["traps"]} == {"calendar", "session", "growing"}
    assert all(mixed.page(trap["entry"]) is not None for trap in summary["traps"])
    assert summary["start_pages"] == mixed.start_pages()


def test_a_directory_that_is_not_empty_is_refused(mixed, written):
    with pytest.raises(InputError, match="not empty"):
        write(mixed, written)


def test_a_directory_that_cannot_be_made_is_refused(clean, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write(clean, tmp_path / "file" / "web")


def test_a_directory_without_a_web_is_refused(tmp_path):
    with pytest.raises(InputError, match="contains no web") as caught:
        load(tmp_path)
    assert "generate" in caught.value.remedy


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"parameters": {"pages": "many"}, "digest": ""}', "\udcff"])
def test_a_damaged_web_is_refused(tmp_path, text):
    (tmp_path / "web.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path)


def test_a_web_with_impossible_parameters_is_refused(tmp_path):
    (tmp_path / "web.json").write_text('{"parameters": {"pages": 1}, "digest": ""}')
    with pytest.raises(InputError, match="pages"):
        load(tmp_path)


def test_a_web_of_another_version_is_refused(tmp_path):
    write(Web(WebParameters(pages=60, hosts=5)), tmp_path)
    text = (tmp_path / "web.json").read_text()
    saved = json.loads(text)
    saved["digest"] = "0" * 32
    (tmp_path / "web.json").write_text(json.dumps(saved))
    with pytest.raises(InputError, match="another version"):
        load(tmp_path)
