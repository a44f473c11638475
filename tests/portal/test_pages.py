"""What the pages show."""

import re
from pathlib import Path

import pytest

from tests.portal.made import Made, token_for
from thresher.portal.ids import page_name
from thresher.portal.library import TellingWord
from thresher.portal.own_keys import USUAL
from thresher.portals import load_topics, save_topics
from thresher.store.portal_records import Role, Verdict
from thresher.taxonomy.topic_tree import Topic, put, without

DOCUMENT = re.compile(r'href="/d/([0-9a-f]{16})"')


def listed(text: str) -> list[str]:
    """Return the pages that a list shows, in order."""
    return list(dict.fromkeys(re.findall(r'<h3><a href="/d/([0-9a-f]{16})"', text)))


def test_home_shows_topics_with_counts_new_pages_and_places_to_start(made: Made) -> None:
    text = made.client.get("/").text
    assert "5 pages from 3 sites" in text
    assert "<bdi>Tea</bdi>" in text
    assert "2 pages" in text
    assert "Good places to start" in text
    assert "leads to 1 page here" in text
    assert "Secret" not in text
    assert "Off the topic" not in text


def test_home_without_pages_says_what_to_do(tmp_path: Path) -> None:
    made = Made(tmp_path / "p", pages=False)
    text = made.client.get("/").text
    assert "No page has been found yet" in text
    assert "thresher run" in text
    assert "example" not in made.client.get("/topics").text
    made.close()


def test_german_by_browser_and_by_choice(made: Made) -> None:
    assert "Nach Themen stöbern" in made.client.get("/", headers={"accept-language": "de-AT"}).text
    made.client.get("/look?language=de&back=/new")
    answer = made.client.get("/")
    assert '<html lang="de"' in answer.text
    assert answer.headers["content-language"] == "de"
    made.client.get("/look?language=xx")
    assert "Nach Themen stöbern" in made.client.get("/").text


def test_the_theme_is_set_by_the_server(made: Made) -> None:
    assert "data-theme" not in made.client.get("/").text
    made.client.get("/look?theme=dark")
    assert 'data-theme="dark"' in made.client.get("/").text
    made.client.get("/look?theme=system")
    assert "data-theme" not in made.client.get("/").text


def test_a_topic_lists_its_pages_in_four_orders(made: Made) -> None:
    first, second = (page_name(row.url_id) for row in made.rows[:2])
    assert listed(made.client.get("/t/Tea").text) == [first, second]
    assert listed(made.client.get("/t/Tea?order=cited").text) == [first]
    assert listed(made.client.get("/t/Tea?order=links").text) == [second, first]
    assert set(listed(made.client.get("/t/Tea?order=newest").text)) == {first, second}
    assert listed(made.client.get("/t/Tea?only=true").text) == [second]
    assert listed(made.client.get("/t/Tea/Green").text) == [first]
    assert made.client.get("/t/Tea/").headers["location"] == "/t/Tea"


def test_a_topic_that_is_not_there_is_said_so(made: Made) -> None:
    answer = made.client.get("/t/Coffee")
    assert answer.status_code == 404
    assert "There is no such topic" in answer.text
    assert made.client.get("/t/Coffee.json").json()["reason"] == "error.topic"


def test_confidence_is_told_in_words(made: Made) -> None:
    text = made.client.get("/new").text
    for word in ("very sure", "fairly sure", "doubtful"):
        assert word in text


def test_a_document_tells_its_topic_its_evidence_and_its_way(made: Made) -> None:
    text = made.client.get(f"/d/{page_name(made.rows[0].url_id)}").text
    assert "A pot of tea." in text
    assert "kettle" in text
    assert "+0.70" in text
    assert "−0.10" in text
    # 0.9 beyond a border of 0.1: all words add up to 1.0.
    assert "add up to 1.00" in text
    assert "0.10" in text
    assert "followed “round” although the page before was off-topic" in re.sub(r"\s+", " ", text)
    assert "start page" in text
    assert "2 pages link here" in text
    assert "It links to 1 page here" in text
    assert "and to 1 that we did not keep" in text
    assert 'name="citation_title"' in text


def test_a_document_without_a_topic_offers_to_propose_it(made: Made) -> None:
    answer = made.client.get(f"/d/{page_name(made.rows[4].url_id)}")
    assert answer.status_code == 200
    assert "belongs to no topic" in answer.text


@pytest.mark.parametrize("name", ["0" * 16, "x", "0", "f" * 17, "../x"])
def test_a_document_that_is_not_there(made: Made, name: str) -> None:
    assert made.client.get(f"/d/{name}").status_code == 404


def test_references_name_the_page(made: Made) -> None:
    name = page_name(made.rows[0].url_id)
    assert "title = {Round pots}" in made.client.get(f"/d/{name}.bib").text
    assert "TI  - Round pots" in made.client.get(f"/d/{name}.ris").text


@pytest.mark.parametrize("address", ["/t/Tea", "/new", "/site/b.test", "/t/Boats?order=newest", "/t/Tea?only=true"])
def test_every_twin_holds_exactly_what_the_screen_shows(made: Made, address: str) -> None:
    path, _, query = address.partition("?")
    shown = list(listed(made.client.get(address).text))
    urls = {page_name(row.url_id): row.url for row in made.rows}
    wanted = [urls[name] for name in shown]
    assert wanted

    def twin(kind: str) -> str:
        return made.client.get(f"{path}.{kind}?{query}").text

    answer = made.client.get(f"{path}.json?{query}").json()
    assert [page["url"] for page in answer["pages"]] == wanted
    assert answer["total"] >= len(wanted)
    assert [line.split(",")[0] for line in twin("csv").splitlines()[1:]] == wanted
    entries = re.findall(r'<entry>.*?<link href="([^"]*)"', twin("atom").replace("&lt;", "<"), re.DOTALL)
    assert [entry.replace("&amp;", "&").replace("&quot;", '"') for entry in entries] == wanted
    assert twin("html").count("<DT><A ") == len(wanted)
    assert re.findall(r"UR  - (.*)\r", twin("ris")) == wanted
    assert twin("bib").count("@misc") == len(wanted)


def test_lists_have_pages(made: Made) -> None:
    assert listed(made.client.get("/new?page=99").text) == listed(made.client.get("/new").text)
    assert made.client.get("/new?page=0").status_code == 400
    assert made.client.get("/new?page=x").status_code == 400
    assert made.client.get("/new.xyz").status_code == 404


def test_a_site_lists_its_pages(made: Made) -> None:
    text = made.client.get("/site/b.test").text
    assert "<b>3</b> pages" in text
    assert "Sailing" in text
    assert made.client.get("/site/nowhere.test").status_code == 404


def test_feedback_becomes_a_row_and_is_counted(made: Made) -> None:
    browser = made.signed_in(Role.READER, "Maria")
    name = page_name(made.rows[0].url_id)
    assert "Round pots" in browser.get(f"/feedback?page={name}").text
    fields = {"page": name, "verdict": "better", "better": "Boats", "note": "It floats.", "token": token_for(browser)}
    answer = browser.post("/feedback", data=fields)
    assert "Thank you" in answer.text
    (row,) = made.store.inbox.feedback()
    assert (row.verdict, row.topic, row.better, row.note) == (Verdict.BETTER, "Tea/Green", "Boats", "It floats.")
    assert row.user is not None
    assert browser.post("/feedback", data={**fields, "better": ""}).status_code == 400
    assert browser.post("/feedback", data={**fields, "verdict": "?"}).status_code == 400
    assert browser.post("/feedback", data={**fields, "page": "0" * 16}).status_code == 404


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("https://www.example.org/page", 200),
        ("www.example.org/page", 200),
        ("no address", 400),
        ("javascript:alert(1)", 400),
        ("file:///etc/passwd", 400),
        ("http://127.0.0.1/admin", 400),
        ("http://192.168.0.1/", 400),
        ("http://[::1]/", 400),
        ("http://169.254.169.254/latest/meta-data", 400),
        ("http://router.local/", 400),
        ("http://localhost/", 400),
        ("http://2130706433/", 400),
    ],
)
def test_proposals_stand_behind_the_address_guard(made: Made, url: str, status: int) -> None:
    fields = {"url": url, "topic": "Tea", "note": "Good.", "token": token_for(made.client)}
    assert made.client.post("/propose", data=fields).status_code == status
    assert len(made.store.inbox.proposals()) == (status == 200)


def test_strangers_get_no_cookie_before_they_open_a_form(made: Made) -> None:
    browser = made.browser()
    for address in ("/", "/topics", "/new", "/t/Tea"):
        assert "set-cookie" not in browser.get(address).headers
    assert "thresher_visitor" in browser.get("/propose").headers["set-cookie"]


def test_assets_may_be_kept_for_ever_and_home_is_small(made: Made) -> None:
    answer = made.client.get("/")
    total = len(answer.content)
    assert total < 30_000
    for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', answer.text):
        asset = made.client.get(address)
        assert "immutable" in asset.headers["cache-control"]
        total += len(asset.content)
    assert total < 100_000
    assert not re.search(r'(?:src|href)="(?:https?:)?//', answer.text)


def test_opensearch_and_openapi_describe_the_portal(made: Made) -> None:
    text = made.client.get("/opensearch.xml").text
    assert 'template="http://127.0.0.1:8080/search?q={searchTerms}"' in text
    described = made.client.get("/openapi.json").json()
    assert "/new.{kind}" in described["paths"]


def test_what_changes_is_seen_without_a_restart(made: Made) -> None:
    library = made.app.state.library
    library.overview()
    before = library.overview().pages
    from tests.portal.made import page
    from thresher.store.records import Batch

    made.store.commit(Batch(crawl=1, at=1.0, documents=[page("http://new.test/", "Boats", title="Newest boat")]))
    assert library.overview().pages == before
    library.clock = lambda: 1e10
    library._overview._clock = library.clock
    assert library.overview().pages == before + 1


def test_a_topic_that_was_renamed_leads_to_what_it_is_called_now(made: Made) -> None:
    made.store.topic_history.move([("Beverages", "Drinks")], 0.5)
    made.store.topic_history.move([("Drinks", "Tea")], 1.0)
    for before, now in (("Drinks", "Tea"), ("Beverages/Green.csv", "Tea/Green.csv")):
        answer = made.client.get(f"/t/{before}")
        assert (answer.status_code, answer.headers["location"]) == (301, f"/t/{now}")
    assert made.client.get("/t/Nothing").status_code == 404


def test_branches_keep_their_colours_when_others_come_and_go(made: Made) -> None:
    def colours() -> dict[str, int]:
        made.app.state.library._overview.forget()
        made.app.state.library._topics.forget()
        return {node.name: node.colour for node in made.app.state.library.overview().top}

    before = colours()
    tree = load_topics(made.folder)
    save_topics(made.folder, put(without(tree, ("Tea",)), ("Aprons",), Topic(name="")))
    after = colours()
    assert after["Boats"] == before["Boats"]
    assert after["Aprons"] not in (0, after["Boats"])
    save_topics(made.folder, tree)
    assert colours()["Tea"] == before["Tea"]


def test_keys_can_be_changed_and_taken_back(made: Made) -> None:
    browser = made.browser()
    fields = {f"key_{action}": key for action, key in USUAL.items()} | {"token": token_for(browser)}
    assert browser.post("/keys", data={**fields, "key_up": "j"}).status_code == 400
    assert browser.post("/keys", data={**fields, "key_up": "up"}).status_code == 400
    assert browser.post("/keys", data={**fields, "key_down": "x", "key_up": "", "key_search": '"'}).status_code == 303
    text = browser.get("/keys").text
    assert 'data-keys="{&#34;&#34;' not in text
    assert "&#34;x&#34;:&#34;j&#34;" in text
    browser.post("/keys", data={**fields, "usual": "true"})
    assert "data-keys" not in browser.get("/keys").text


def test_topics_that_are_close_are_named(made: Made) -> None:
    library = made.app.state.library
    words = {"Boats": ["hull", "kettle", "sail"], "Tea": ["kettle", "sail"], "Tea/Green": ["leaf"]}
    known = library._words.get()
    known.update({path: [TellingWord(word, 1.0, 1.0, 1) for word in found] for path, found in words.items()})
    assert [node.path for node in library.close_topics("Boats")] == ["Tea"]
    assert library.close_topics("Tea/Green") == []
    assert ">Related topics<" in made.client.get("/t/Boats").text
