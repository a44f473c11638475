"""Bad input gets one plain sentence, a remedy and the right exit code; nothing is lost."""

import json
import os
import subprocess
from pathlib import Path

import apsw
import pytest

from thresher.cli.main import call
from thresher.portals import create_portal

SEEDS = "http://www.a.test/\nhttp://www.b.test/\n"


@pytest.fixture
def portal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    (tmp_path / "seeds.txt").write_text(SEEDS)
    assert call(["new", str(tmp_path / "p"), "--seeds", str(tmp_path / "seeds.txt")]) == 0
    capsys.readouterr()
    return tmp_path / "p"


def error(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, str]]:
    """Run a command that must fail and return its exit code and its error."""
    code = call([*arguments, "--json"])
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1, captured.err
    body = json.loads(lines[0])
    assert set(body) == {"error", "reason", "remedy"}
    assert body["error"].endswith((".", "?", ")"))
    assert body["remedy"]
    return code, body


def test_missing_portal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["crawl"], ["resume"], ["status"], ["log"], ["config", "show"]):
        code, body = error(capsys, *command, str(tmp_path / "none"))
        assert (code, body["reason"]) == (4, "portal")
        assert "There is no portal" in body["error"]


def test_directory_that_is_no_portal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "crawl", str(tmp_path))
    assert code == 4
    assert "There is no portal" in body["error"]


def test_existing_portal_is_left_alone(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (portal / "portal.db").read_bytes()
    code, body = error(capsys, "new", str(portal), "--seeds", str(portal.parent / "seeds.txt"))
    assert code == 4
    assert "already exists" in body["error"]
    assert (portal / "portal.db").read_bytes() == before


def test_unwritable_place(capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "new", "/proc/no-such-place/p")
    assert code == 4
    assert "cannot be created" in body["error"]


def test_file_in_the_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f").write_text("x")
    assert error(capsys, "new", str(tmp_path / "f"))[0] == 4
    assert error(capsys, "new", str(tmp_path / "f" / "p"))[0] == 4
    assert (tmp_path / "f").read_text() == "x"


@pytest.mark.parametrize("text", ["", "# nothing\n\n", "htp:/wrong\n"])
def test_seeds_without_a_url(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (tmp_path / "seeds.txt").write_text(text)
    code, body = error(capsys, "new", str(tmp_path / "p"), "--seeds", str(tmp_path / "seeds.txt"))
    assert (code, body["reason"]) == (7, "input")
    assert not (tmp_path / "p").exists()


def test_missing_seeds_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "new", str(tmp_path / "p"), "--seeds", str(tmp_path / "none.txt"))
    assert code == 7
    assert "none.txt" in body["error"]


def test_malformed_seed_is_named_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "seeds.txt").write_bytes(b"http://a.test/\nno url at all\n\xff\xfe\nexample.org\n")
    assert call(["new", str(tmp_path / "p"), "--seeds", str(tmp_path / "seeds.txt"), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["seeds"] == 2
    assert [problem.split(":")[0] for problem in made["problems"]] == ["line 2", "line 3"]


def test_portal_without_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["new", str(tmp_path / "p")]) == 0
    capsys.readouterr()
    code, body = error(capsys, "crawl", str(tmp_path / "p"))
    assert code == 7
    assert "no start pages" in body["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]", "192.168.1.5", "localhost"])
def test_crawl_of_a_private_address_names_the_setting_that_allows_it(
    tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    create_portal(tmp_path / "p", f"http://{host}/")
    code, body = error(capsys, "crawl", str(tmp_path / "p"))
    assert code == 3
    assert "address-forbidden" in body["error"]
    assert "[network] allow = [" in body["remedy"]
    assert "contact" not in body["remedy"]


def test_a_crawl_of_nothing_but_private_addresses_names_the_setting_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    create_portal(tmp_path / "p", "http://127.0.0.1:9/")
    assert call(["crawl", str(tmp_path / "p"), "--set", "network.contact=me@example.org"]) == 0
    said = capsys.readouterr().out
    assert "refused   address-forbidden 1" in said
    assert "network.allow" in said


def test_crawl_that_would_leave_the_machine_without_a_contact(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "crawl", str(portal))
    assert (code, body["reason"]) == (3, "settings")
    assert "contact" in body["remedy"]


def test_wrong_address_leaves_no_crawl_behind(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = portal / "thresher.toml"
    settings.write_text('[network]\ncontact = "me@example.org"\n[network.map]\n"*.test" = "localhost:8099"\n')
    assert error(capsys, "crawl", str(portal))[0] == 3
    assert call(["status", str(portal), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["crawl"] is None


def test_broken_settings_name_the_line(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (portal / "thresher.toml").write_text("[crawl]\npages = 5\nscope = \n")
    code, body = error(capsys, "crawl", str(portal))
    assert code == 3
    assert "line 3" in body["error"]


def test_unknown_setting_gets_a_suggestion(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "crawl", str(portal), "--set", "crawl.pagess=5")
    assert code == 3
    assert body["remedy"] == "Did you mean 'crawl.pages'?"


def test_unknown_strategy_gets_a_suggestion(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(
        capsys, "crawl", str(portal), "--strategy", "breathfirst", "--set", "network.contact=me@example.org"
    )
    assert (code, body["reason"]) == (8, "plugin")
    assert "breadth-first" in body["remedy"]


def test_portal_of_a_newer_program(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = apsw.Connection(str(portal / "portal.db"))
    connection.pragma("user_version", 999)
    connection.close()
    for command in ("status", "crawl"):
        code, body = error(capsys, command, str(portal))
        assert code == 4
        assert "newer" in body["error"]


def test_damaged_portal(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (portal / "portal.db").write_bytes(b"this is no database" * 1000)
    code, body = error(capsys, "status", str(portal))
    assert code == 4
    assert body["reason"] == "portal"


def test_nothing_to_resume(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "resume", str(portal))
    assert code == 4
    assert "no crawl to resume" in body["error"]


def test_crawl_that_does_not_exist(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "explain", str(portal), "http://a.test/", "--crawl", "9")[0] == 7
    assert error(capsys, "log", str(portal), "--crawl", "9")[0] == 7


def test_explain_of_what_is_no_url(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "explain", str(portal), "mailto:x@example.org")
    assert code == 7
    assert "not an http or https URL" in body["error"]


@pytest.mark.parametrize(
    "arguments",
    [["crawl"], ["nonsense"], ["crawl", "x", "--pages", "0"], ["crawl", "x", "--no-such"], ["web", "serve"]],
)
def test_wrong_words_are_usage_errors(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    code, body = error(capsys, *arguments)
    assert (code, body["reason"]) == (2, "usage")
    assert "--help" in body["remedy"]


def test_web_that_cannot_be_made_or_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert error(capsys, "web", "generate", str(tmp_path / "w"), "--pages", "3")[0] == 7
    assert error(capsys, "web", "serve", str(tmp_path))[0] == 7


def test_error_for_a_person_is_one_sentence_and_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["status", str(tmp_path / "none")]) == 4
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Error: There is no portal")
    assert lines[1].startswith("Make one: thresher new")
    assert len(lines) == 2


def test_a_mistyped_portal_names_the_one_beside_it(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    near = portal.rename(portal.with_name("my-portal"))
    code, body = error(capsys, "status", str(near.with_name("my-protal")))
    assert code == 4
    assert body["remedy"].startswith(f"Did you mean '{near}'? Or make one: ")
    code, body = error(capsys, "status", str(near.with_name("unlike")))
    assert (code, body["remedy"]) == (4, f"Make one: thresher new {near.with_name('unlike')} --seeds FILE")


def test_wrong_values_are_told_without_words_for_programmers(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, body = error(capsys, "crawl", str(portal), "--set", "engine.workers=many")
    assert code == 3
    assert body["error"].endswith("'many' is invalid: it should be a valid integer.")
    code, body = error(capsys, "crawl", str(portal), "--pages", "many")
    assert (code, body["error"]) == (2, "Invalid value for '--pages': it should be a valid integer.")
    code, body = error(capsys, "web", "generate", str(portal.parent / "w"), "--profile", "odd")
    assert code == 2
    assert body["error"] == "Invalid value for '--profile': 'odd' is not one of 'mixed', 'finite', 'clean'."


def test_an_empty_portal_is_told_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["new", str(tmp_path / "my portal")]) == 0
    assert f"thresher topics '{tmp_path}/my portal' add TOPIC URL" in capsys.readouterr().out


EVERY = [
    "status",
    "log",
    "topics",
    "crawl",
    "resume",
    "train",
    "learn",
    "harvest",
    "run",
    "refresh",
    "rank",
    "reclassify",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"p\xff", b"p\xe4\xc3", b"\xed\xa0\x80"])
def test_a_path_that_is_no_text_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: bytes
) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    code, body = error(capsys, "new", path)
    assert code == 4
    assert "UTF-8" in body["error"]
    assert not os.path.lexists(path)
    os.mkdir(path)
    open(os.path.join(path, "portal.db"), "wb").close()
    commands = [[command, path] for command in (*EVERY, "archetypes", "doctor")]
    commands += [
        ["explain", path, "http://a.test/"],
        ["ask", path, "boats"],
        ["export", path, "--warc", path + ".warc.gz"],
    ]
    commands += [["import", path, path], ["features", path, "A"], ["topics", path, "add", "A", "http://a.test/"]]
    commands += [["config", "show", path]]
    for command in commands:
        for also in ([], ["--json"]):
            code = call([*command, *also])
            said = capsys.readouterr()
            assert "unforeseen" not in said.out + said.err, command
            assert code in ((0,) if command[0] == "config" else (0, 4) if command[0] == "topics" else (1, 4, 7)), (
                command
            )


def test_files_whose_names_are_no_text_can_be_used(portal: Path, tmp_path: Path) -> None:
    odd = os.fsencode(tmp_path) + b"/odd\xff"
    seeds = os.fsdecode(odd + b".txt")
    Path(seeds).write_text(SEEDS)
    assert call(["new", str(tmp_path / "q"), "--seeds", seeds]) == 0
    bookmarks = os.fsdecode(odd + b".html")
    Path(bookmarks).write_text("<DL><DT><A HREF='http://a.test/'>A</A></DL>")
    assert call(["new", str(tmp_path / "r"), "--bookmarks", bookmarks]) == 0
    assert call(["topics", str(tmp_path / "r"), "export", os.fsdecode(odd + b"2.html")]) == 0


@pytest.mark.parametrize("name", [r"\[/nope]", "[bold]", "a b", "--help", "it's", "$(reboot)", "two\nlines"])
def test_a_portal_may_have_any_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seeds.txt").write_text(SEEDS)
    written = name if not name.startswith("-") else f"./{name}"
    assert call(["new", written, "--seeds", "seeds.txt"]) == 0
    hint = capsys.readouterr().out.splitlines()[-1].partition("then: ")[2]
    pasted = subprocess.run(["bash", "-c", f"printf '%s\\0' {hint}"], capture_output=True, check=True).stdout
    assert os.path.normpath(pasted.decode().split("\0")[2]) == name
    for command in ("status", "log", "topics", "doctor", "rank"):
        assert call([command, written]) == 0, command
