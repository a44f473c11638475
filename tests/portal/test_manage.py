"""Management: topics, training pages, words, archetypes, the inbox, settings, accounts and SQL, each with its undo."""

import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.portal.made import PASSWORD, Made, token_for
from thresher.api.topics import Topics
from thresher.config.describe import descriptions
from thresher.config.load import flat, load
from thresher.errors import InputError
from thresher.portal.ids import page_name
from thresher.portal.setting_words import meanings_in
from thresher.portal.settings_file import with_setting
from thresher.portals import load_topics
from thresher.store.decisions import DecisionKind, DecisionRow
from thresher.store.look_ups import QueryLimits
from thresher.store.portal_records import FeedbackRow, ProposalRow, Role, Verdict
from thresher.store.records import ArchetypeRow, ArchetypeState
from thresher.store.repository import look_up
from thresher.taxonomy.topic_tree import parsed
from thresher.taxonomy.topics_file import read_topics, write_topics
from thresher.train.trimming import passage_digest


@pytest.fixture
def admin(made: Made) -> TestClient:
    return made.signed_in(Role.ADMIN, "Ada")


def post(browser: TestClient, path: str, **fields: Any) -> Any:
    return browser.post(path, data={**fields, "token": token_for(browser)})


def undo_newest(made: Made, browser: TestClient) -> Any:
    return post(browser, "/manage/undo", number=str(made.store.deeds.all()[0].id))


def names(made: Made) -> list[str]:
    return ["/".join(path) for path, _ in load_topics(made.folder).walk()]


def test_an_edit_of_the_tree_is_previewed_done_and_undone(made: Made, admin: TestClient) -> None:
    asked = {"edit": "rename", "topic": "Tea", "to": "Hot drinks"}
    shown = admin.get("/manage/topics/preview", params=asked).text
    assert "Tea would be called Hot drinks" in shown
    assert "This affects 2 topics" in shown
    assert "2 pages were found for it" in shown
    assert names(made) == ["Tea", "Tea/Green", "Boats"]
    done = post(admin, "/manage/topics/change", **asked)
    assert "Saved" in admin.get(done.headers["location"]).text
    assert names(made) == ["Boats", "Hot drinks", "Hot drinks/Green"]
    undo_newest(made, admin)
    assert names(made) == ["Tea", "Tea/Green", "Boats"]
    undo_newest(made, admin)
    assert "Hot drinks" in names(made), "what was undone can be done again"


def test_decisions_follow_a_renamed_topic_and_come_back(made: Made, admin: TestClient) -> None:
    row = made.rows[0]
    made.store.decisions.add(
        DecisionRow(page=row.url_id, url=row.url, kind=DecisionKind.MOVED, at=1.0, shown="Boats", topic="Tea/Green")
    )
    post(admin, "/manage/topics/change", edit="rename", topic="Tea", to="Drinks")
    assert made.store.decisions.settled()[row.url_id].topic == "Drinks/Green"
    assert "Round pots" in made.client.get("/t/Drinks/Green").text
    led = made.client.get("/t/Tea/Green", follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (301, "/t/Drinks/Green")
    undo_newest(made, admin)
    assert made.client.get("/t/Drinks/Green", follow_redirects=False).headers["location"] == "/t/Tea/Green"
    assert made.store.decisions.settled()[row.url_id].topic == "Tea/Green"


def test_undoing_a_merge_gives_each_topic_its_own_back(made: Made, admin: TestClient) -> None:
    first, second = made.rows[:2]
    for row, shown, topic in ((first, "Boats", "Tea"), (second, "Tea", "Boats")):
        made.store.decisions.add(
            DecisionRow(page=row.url_id, url=row.url, kind=DecisionKind.MOVED, at=1.0, shown=shown, topic=topic)
        )
    before = made.store.decisions.all()
    admin.get("/manage/topics")
    colours = made.store.topic_history.colours()
    assert set(colours) >= {"Boats", "Tea"}
    post(admin, "/manage/topics/change", edit="merge", topic="Boats", to="Tea")
    assert made.store.decisions.settled()[second.url_id].topic == "Tea"
    undo_newest(made, admin)
    assert made.store.decisions.all() == before
    assert made.store.decisions.settled()[second.url_id].topic == "Boats"
    assert made.store.topic_history.moves() == {}
    assert made.store.topic_history.colours() == colours
    undo_newest(made, admin)
    assert {row.topic for row in made.store.decisions.all()} == {"Tea"}, "the merge is done again"


def test_decisions_taken_since_follow_when_a_rename_is_undone(made: Made, admin: TestClient) -> None:
    row = made.rows[0]
    post(admin, "/manage/topics/change", edit="rename", topic="Tea", to="Drinks")
    post(admin, "/review/decide", page=page_name(row.url_id), kind="moved", to="Drinks/Green")
    undo_newest(made, admin)
    assert made.store.decisions.settled()[row.url_id].topic == "Tea/Green"


def test_edits_at_the_same_time_all_arrive(made: Made, admin: TestClient) -> None:
    admin.get("/manage/topics")
    Topics(made.folder).add("Cars")
    post(admin, "/manage/topics/change", edit="add", topic="", to="Kites")
    assert {"Cars", "Kites"} <= set(names(made)), "an edit starts from the file, not from what the portal remembers"
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(Topics(made.folder).add, [f"New {number}" for number in range(12)]))
    assert {f"New {number}" for number in range(12)} <= set(names(made))
    assert not list(made.folder.glob("*.new"))


@pytest.mark.parametrize(
    ("edit", "topic", "to", "after"),
    [
        ("add", "Tea", "Black", ["Tea", "Tea/Green", "Tea/Black", "Boats"]),
        ("add", "", "Cars", ["Tea", "Tea/Green", "Boats", "Cars"]),
        ("move", "Tea/Green", "", ["Tea", "Boats", "Green"]),
        ("move", "Boats", "Tea", ["Tea", "Tea/Green", "Tea/Boats"]),
        ("merge", "Boats", "Tea", ["Tea", "Tea/Green"]),
        ("delete", "Tea", "", ["Boats"]),
        ("note", "Boats", "Things that swim", ["Tea", "Tea/Green", "Boats"]),
    ],
)
def test_all_edits(made: Made, admin: TestClient, edit: str, topic: str, to: str, after: list[str]) -> None:
    assert admin.get("/manage/topics/preview", params={"edit": edit, "topic": topic, "to": to}).status_code == 200
    assert post(admin, "/manage/topics/change", edit=edit, topic=topic, to=to).status_code == 303
    assert names(made) == after
    undo_newest(made, admin)
    assert names(made) == ["Tea", "Tea/Green", "Boats"]


@pytest.mark.parametrize(
    ("edit", "topic", "to"),
    [("rename", "Nothing", "x"), ("rename", "Tea", " "), ("rename", "Tea", "Boats"), ("move", "Tea", "Tea/Green"),
     ("add", "", "Tea"), ("nonsense", "Tea", "x"), ("delete", "", "")],
)  # fmt: skip
def test_an_edit_that_cannot_be_is_refused_in_a_sentence(
    made: Made, admin: TestClient, edit: str, topic: str, to: str
) -> None:
    answer = post(admin, "/manage/topics/change", edit=edit, topic=topic, to=to)
    assert 400 <= answer.status_code < 500
    assert names(made) == ["Tea", "Tea/Green", "Boats"]
    assert made.store.deeds.all() == []


def test_a_change_that_was_changed_again_is_not_undone_blindly(made: Made, admin: TestClient) -> None:
    post(admin, "/manage/topics/change", edit="add", topic="", to="Cars")
    first = made.store.deeds.all()[0].id
    post(admin, "/manage/topics/change", edit="add", topic="", to="Planes")
    answer = post(admin, "/manage/undo", number=str(first))
    assert answer.status_code == 409
    assert "changed again since" in answer.text
    assert "Cars" in names(made)


def test_each_topic_has_its_health_in_a_sentence(made: Made, admin: TestClient) -> None:
    text = admin.get("/manage/topics").text
    assert "few examples: 1" in text
    # Tags hold random tokens.
    assert "162" not in re.sub(r"<[^>]*>", " ", text)


def test_training_pages_are_added_removed_and_come_back(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    post(reviewer, "/manage/training/add", topic="Boats", urls="http://x.test/1\nwww.example.org/y")
    assert [page.url for page in load_topics(made.folder).get(("Boats",)).pages] == [
        "http://seed.test/",
        "http://x.test/1",
        "https://www.example.org/y",
    ]
    post(reviewer, "/manage/training/remove", topic="Boats", url="http://x.test/1")
    assert len(load_topics(made.folder).get(("Boats",)).pages) == 2
    undo_newest(made, reviewer)
    assert len(load_topics(made.folder).get(("Boats",)).pages) == 3
    post(reviewer, "/manage/training/add", urls="http://start.test/")
    assert [page.url for page in load_topics(made.folder).seeds] == ["http://start.test/"]
    assert post(reviewer, "/manage/training/add", topic="Boats", urls="no address").status_code == 400
    assert post(reviewer, "/manage/training/add", topic="Nowhere", urls="http://x.test/").status_code == 404
    shown = reviewer.get("/manage/training", params={"url": made.rows[0].url, "topic": "Tea/Green"}).text
    assert "a.test/pots/round" in shown


def test_training_pages_are_shown_for_the_first_topic_that_has_some(made: Made) -> None:
    shown = made.signed_in(Role.REVIEWER).get("/manage/training").text
    assert '<option value="Tea/Green" selected>' in shown
    assert "http://seed.test/" in shown


def test_a_training_page_is_trimmed(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    row = made.rows[1]
    post(reviewer, "/manage/training/add", topic="Boats", urls=row.url)
    address = {"topic": "Boats", "url": row.url}
    assert "Tea houses" in reviewer.get("/manage/training/trim", params=address).text
    digest = passage_digest("Tea houses.")
    post(reviewer, "/manage/training/trim", **address, without=digest)
    page = load_topics(made.folder).get(("Boats",)).pages[-1]
    assert page.without == (digest,)
    assert "checked" in reviewer.get("/manage/training/trim", params=address).text
    assert "1 passage left out" in reviewer.get("/manage/training?topic=Boats").text
    assert reviewer.get("/manage/training/trim", params={"topic": "Boats", "url": "http://no.test/"}).status_code == 404


def test_words_are_marked_good_and_bad(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    post(reviewer, "/manage/words/mark", topic="Boats", word="keel", mark="good")
    post(reviewer, "/manage/words/mark", topic="Boats", word="click", mark="bad")
    topic = load_topics(made.folder).get(("Boats",))
    assert (topic.good, topic.bad) == (("keel",), ("click",))
    assert "keel" in reviewer.get("/manage/words?topic=Boats").text
    post(reviewer, "/manage/words/mark", topic="Boats", word="keel", mark="bad")
    post(reviewer, "/manage/words/mark", topic="Boats", word="click", mark="")
    assert load_topics(made.folder).get(("Boats",)).bad == ("keel",)
    undo_newest(made, reviewer)
    assert load_topics(made.folder).get(("Boats",)).bad == ("click", "keel")
    assert post(reviewer, "/manage/words/mark", topic="Nowhere", word="x", mark="good").status_code == 400


def test_archetypes_are_confirmed_and_refused(made: Made, admin: TestClient) -> None:
    row = ArchetypeRow(topic="Boats", url="http://b.test/boats", rule="authority", confidence=0.5, authority=0.1)
    made.store.archetypes.put([row])
    assert "http://b.test/boats" in admin.get("/manage/archetypes").text
    post(admin, "/manage/archetypes/decide", topic="Boats", url=row.url, state="rejected")
    assert made.store.archetypes.all()[0].state is ArchetypeState.REJECTED
    undo_newest(made, admin)
    assert made.store.archetypes.all()[0].state is ArchetypeState.PROPOSED
    assert post(admin, "/manage/archetypes/decide", topic="Boats", url="x", state="accepted").status_code == 404
    assert post(admin, "/manage/archetypes/roll-back", step="3").status_code == 400


def test_a_proposal_is_accepted_for_a_topic_or_declined(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    for url in ("http://p.test/1", "http://p.test/2"):
        made.store.inbox.propose(ProposalRow(url=url, at=1.0, topic="Boats", note="Good"))
    assert '<span class="count">2</span>' in reviewer.get("/manage/inbox").text
    post(reviewer, "/manage/inbox/proposal", number="1", answer="accepted", topic="Boats")
    post(reviewer, "/manage/inbox/proposal", number="2", answer="declined", note="Twice")
    assert [row.state for row in made.store.inbox.proposals()] == ["accepted", "declined"]
    assert load_topics(made.folder).get(("Boats",)).pages[-1].url == "http://p.test/1"
    deed = next(row for row in made.store.deeds.all(["inbox"]) if row.about == "proposal 1")
    post(reviewer, "/manage/undo", number=str(deed.id))
    assert made.store.inbox.proposals()[0].state == "open"
    assert len(load_topics(made.folder).get(("Boats",)).pages) == 1


def test_feedback_that_is_accepted_decides_about_its_page(made: Made) -> None:
    reviewer = made.signed_in(Role.REVIEWER)
    row = made.rows[2]
    made.store.inbox.say(
        FeedbackRow(page=row.url_id, url=row.url, verdict=Verdict.BETTER, at=1.0, topic="Boats", better="Tea")
    )
    made.store.inbox.say(FeedbackRow(page=row.url_id, url=row.url, verdict=Verdict.WRONG, at=1.0, topic="Boats"))
    assert "It belongs to Tea rather than to Boats" in reviewer.get("/manage/inbox").text
    post(reviewer, "/manage/inbox/feedback", number="1", answer="accepted")
    assert made.store.decisions.settled()[row.url_id].topic == "Tea"
    undo_newest(made, reviewer)
    assert made.store.decisions.settled() == {}
    assert made.store.inbox.feedback()[0].state == "open"
    post(reviewer, "/manage/inbox/feedback", number="2", answer="declined")
    assert made.store.decisions.settled() == {}
    assert post(reviewer, "/manage/inbox/feedback", number="9", answer="declined").status_code == 404


def test_a_setting_is_changed_explained_and_brought_back(made: Made, admin: TestClient) -> None:
    assert "Obey robots.txt." in admin.get("/manage/settings").text
    post(admin, "/manage/settings", key="portal.title", value="Tea & more")
    assert load(made.folder).settings.portal.title == "Tea & more"
    assert "Tea &amp; more" in made.client.get("/").text, "the portal shows it at once"
    post(admin, "/manage/settings", key="manners.delay", value="2.5")
    assert load(made.folder).settings.manners.delay == 2.5
    assert "A crawl of the public web needs it" in (made.folder / "thresher.toml").read_text(), "comments stay"
    undo_newest(made, admin)
    assert load(made.folder).sources["manners.delay"] == "default"
    post(admin, "/manage/settings", key="portal.title", reset="true")
    assert load(made.folder).sources["portal.title"] == "default"


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("manners.delay", "fast", "is not a valid value for"),
        ("manners.delay", "-1", "is not a valid value for"),
        ("manners.dealy", "2", "manners.delay"),
        ("crawl.scope", "everything", "is not a valid value for"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(
    made: Made, admin: TestClient, key: str, value: str, said: str
) -> None:
    before = (made.folder / "thresher.toml").read_text()
    answer = post(admin, "/manage/settings", key=key, value=value)
    assert answer.status_code == 400
    assert said in answer.text
    assert (made.folder / "thresher.toml").read_text() == before


@given(
    st.sampled_from(
        ["", "[manners]\ndelay = 1\n", "# hm\n[portal]\ntitle = 'a'\n\n[manners] # x\n", "manners = {delay=1}\n"]
    ),
    st.sampled_from(["manners.delay", "portal.title", "portal.hosts", "network.map"]),
    st.one_of(
        st.none(),
        st.text(max_size=20),
        st.integers(0, 9),
        st.lists(st.text(max_size=5), max_size=3),
        st.dictionaries(st.text(max_size=5), st.text(max_size=5), min_size=1, max_size=2),
    ),
)
def test_the_settings_file_says_what_it_was_told(text: str, key: str, value: Any) -> None:
    assume(key == "network.map" or not isinstance(value, dict))
    before = flat(tomllib.loads(text))
    after = flat(tomllib.loads(with_setting(text, key, value)))
    before.pop(key, None)
    assert after.pop(key, None) == value
    assert after == before


def test_a_setting_that_is_a_table_is_shown_and_changed(made: Made, admin: TestClient) -> None:
    post(admin, "/manage/settings", key="network.map", value='{"*.test" = "127.0.0.1:8099"}')
    assert load(made.folder).settings.network.map == {"*.test": "127.0.0.1:8099"}
    assert "{&#34;*.test&#34; = &#34;127.0.0.1:8099&#34;}" in admin.get("/manage/settings").text
    post(admin, "/manage/settings", key="network.map", reset="true")
    assert load(made.folder).settings.network.map == {}


def test_accounts_are_made_changed_and_removed_but_never_the_last_admin(made: Made, admin: TestClient) -> None:
    assert post(admin, "/manage/users/add", name="Bob", password="short", role="reader").status_code == 400
    post(admin, "/manage/users/add", name="Bob", password=PASSWORD, role="reviewer")
    assert made.store.users.get("bob").role is Role.REVIEWER
    assert made.accounts.check("Bob", PASSWORD) is not None
    post(admin, "/manage/users/remove", name="Bob")
    assert made.store.users.get("Bob") is None
    undo_newest(made, admin)
    assert made.accounts.check("Bob", PASSWORD) is not None, "the password is as it was"
    assert post(admin, "/manage/users/change", name="Ada", role="reader").status_code == 409
    assert post(admin, "/manage/users/remove", name="Ada").status_code == 409
    post(admin, "/manage/users/change", name="Bob", role="admin")
    post(admin, "/manage/users/change", name="Ada", role="reader")
    assert made.store.users.get("Ada").role is Role.READER
    assert admin.get("/manage/users").status_code == 403


def test_undo_leaves_an_account_alone_that_is_another_one_by_now(made: Made, admin: TestClient) -> None:
    post(admin, "/manage/users/add", name="Eva", password=PASSWORD, role="admin")
    post(admin, "/manage/users/remove", name="Eva")
    removal = str(made.store.deeds.all()[0].id)
    assert post(admin, "/manage/undo", number=removal).status_code == 303
    assert post(admin, "/manage/undo", number=removal).status_code == 303, "what was undone can be done again"
    assert made.store.users.get("Eva") is None
    post(admin, "/manage/users/add", name="Eva", password=PASSWORD, role="reader")
    assert post(admin, "/manage/undo", number=removal).status_code == 409
    assert made.store.users.get("Eva").role is Role.READER


def test_what_readers_sent_is_answered_once_and_only_for_topics_there_are(made: Made, admin: TestClient) -> None:
    inbox = made.store.inbox
    first = inbox.propose(ProposalRow(url="http://new.test/", at=1.0))
    second = inbox.say(FeedbackRow(page=made.rows[0].url_id, url="x", verdict=Verdict.BETTER, at=1.0, better="No such"))
    wish, opinion = {"number": first, "answer": "accepted"}, {"number": second, "answer": "accepted"}
    assert post(admin, "/manage/inbox/proposal", **wish, topic="No such").status_code == 404
    assert post(admin, "/manage/inbox/feedback", **opinion).status_code == 409
    assert (inbox.proposals()[0].state, inbox.feedback()[0].state) == ("open", "open")
    assert post(admin, "/manage/inbox/proposal", **wish, topic="Boats").status_code == 303
    deeds = len(made.store.deeds.all())
    assert post(admin, "/manage/inbox/proposal", **wish, topic="Tea").status_code == 409
    assert len(made.store.deeds.all()) == deeds


def test_reviewers_undo_their_own_kind_of_changes_only(made: Made, admin: TestClient) -> None:
    post(admin, "/manage/topics/change", edit="add", topic="", to="Cars")
    reviewer = made.signed_in(Role.REVIEWER)
    assert undo_newest(made, reviewer).status_code == 403
    assert "Cars" not in reviewer.get("/manage/changes").text
    assert "Cars" in admin.get("/manage/changes").text


def test_sql_reads_and_is_shown_as_a_table_and_as_data(made: Made, admin: TestClient) -> None:
    asked = {"q": "SELECT topic, count(*) AS pages FROM documents GROUP BY topic ORDER BY topic"}
    text = post(admin, "/manage/sql", **asked).text
    assert "Tea/Green" in text
    assert "7 rows" not in text
    data = post(admin, "/manage/sql.json", **asked).json()
    assert {"topic": "Boats", "pages": 3} in data["rows"]
    assert "Boats,3" in post(admin, "/manage/sql.csv", **asked).text


def test_a_link_only_fills_the_sql_form_in(admin: TestClient) -> None:
    text = admin.get("/manage/sql", params={"q": "SELECT 6 * 7 AS answer"}).text
    assert "SELECT 6 * 7" in text
    assert ">42</td>" not in text
    assert ">42</td>" in post(admin, "/manage/sql", q="SELECT 6 * 7 AS answer; -- only a comment").text
    assert admin.get("/manage/sql.json", params={"q": "SELECT 1"}).status_code == 405


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM documents",
        "UPDATE documents SET topic = 'x'",
        "INSERT INTO users (name, role, password, made) VALUES ('a', 'admin', 'b', 1)",
        "DROP TABLE documents",
        "CREATE TEMP TABLE t (x)",
        "ATTACH DATABASE '/tmp/x.db' AS x",
        "PRAGMA journal_mode = delete",
        "SELECT password FROM users",
        "SELECT * FROM sessions",
        "SELECT before FROM deeds",
        "SELECT load_extension('x')",
        "VACUUM INTO '/tmp/y.db'",
        "WITH x AS (SELECT 1) DELETE FROM documents",
        "SELECT 1; DELETE FROM documents",
        "SELECT 1; SELECT 2, 3",
        "SELECT '\0'",
        "SELECT printf('%.*c', 300000, 'x')",
        "nonsense",
        "",
    ],
)
def test_sql_changes_nothing_and_reads_no_secret(made: Made, sql: str) -> None:
    with pytest.raises(InputError):
        look_up(made.folder, sql)
    assert len(list(made.store.documents.urls())) == 7


def test_sql_has_an_end(made: Made) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT {} FROM n"
    with pytest.raises(InputError, match="too long"):
        look_up(made.folder, endless.format("count(*)"), QueryLimits(seconds=0.1))
    with pytest.raises(InputError, match="memory"):
        look_up(made.folder, endless.format("printf('%.*c', 200000, x) AS y") + " ORDER BY y", QueryLimits(seconds=60))
    found = look_up(made.folder, endless.format("x"), QueryLimits(rows=5))
    assert (len(found.rows), found.more) == (5, True)
    assert look_up(made.folder, "SELECT 1 AS one WHERE 0").rows == []


def test_a_document_can_be_reviewed_and_taught_from(made: Made, admin: TestClient) -> None:
    name = page_name(made.rows[0].url_id)
    text = admin.get(f"/d/{name}").text
    assert f"/review?page={name}" in text
    assert "/manage/training?" in text
    assert "/manage/training?" not in made.client.get(f"/d/{name}").text
    assert re.search(r"/manage/training\?url=", admin.get("/new").text)


def test_marks_of_a_merged_topic_and_trimmed_pages_survive_the_file() -> None:
    text = '[[topic]]\npath = "A"\ngood = ["x"]\nbad = ["y"]\npages = [{url = "http://a.test/", without = ["00"]}]\n'
    tree = read_topics(text)
    assert read_topics(write_topics(tree)) == tree
    assert tree.get(parsed("A")).pages[0].without == ("00",)


def test_settings_that_another_process_changed_are_used(made: Made, admin: TestClient) -> None:
    file = made.folder / "thresher.toml"
    file.write_text('[portal]\ntitle = "Another name"\n')
    assert "Another name" in made.client.get("/").text
    file.write_text("not toml at all = [")
    assert "Another name" in made.client.get("/").text


def test_a_broken_settings_file_is_told_to_administrators_and_is_not_changed(made: Made, admin: TestClient) -> None:
    file = made.folder / "thresher.toml"
    file.write_text("not toml at all = [")
    for answer in (
        admin.get("/manage/settings"),
        post(admin, "/manage/settings", key="portal.about", value="Tea"),
        post(admin, "/manage/settings", key="portal.about", reset="true"),
        post(admin, "/start/contact", contact="a@b.test"),
    ):
        assert answer.status_code == 503
        assert "thresher.toml" in answer.text
    assert file.read_text() == "not toml at all = ["


def test_numbers_that_no_database_holds_are_refused(admin: TestClient) -> None:
    for page in ("topics", "training", "words", "archetypes", "inbox", "settings", "users"):
        assert admin.get(f"/manage/{page}?done=99999999999999999999").status_code == 400, page
    assert admin.get("/report/0001-01-01").status_code == 404


def test_of_two_editors_of_a_setting_the_later_one_is_told(made: Made, admin: TestClient) -> None:
    other = made.signed_in(Role.ADMIN, "Bea")
    mine = {"key": "portal.about", "was": "="}
    assert post(other, "/manage/settings", value="Hers", **mine).status_code == 303
    told = post(admin, "/manage/settings", value="Mine", **mine)
    assert told.status_code == 409
    assert "Somebody has changed portal.about since you opened this page" in told.text
    assert "Hers" in told.text
    assert 'value="Mine"' in told.text, "what was typed is not lost"
    assert load(made.folder).settings.portal.about == "Hers"
    assert post(admin, "/manage/settings", key="portal.about", was="=Hers", value="Mine").status_code == 303
    assert load(made.folder).settings.portal.about == "Mine"
    assert post(admin, "/manage/settings", key="portal.keeper", was="=", value="Ann").status_code == 303


def test_settings_changed_at_the_same_time_all_arrive(made: Made, admin: TestClient) -> None:
    token = token_for(admin)
    keys = ["portal.about", "portal.keeper", "manners.delay", "crawl.pages"]
    values = ["A", "B", "7", "8"]

    def change(pair: tuple[str, str]) -> int:
        data = {"key": pair[0], "value": pair[1], "token": token}
        return int(admin.post("/manage/settings", data=data).status_code)

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(change, zip(keys, values, strict=True))) == {303}
    settings = load(made.folder).settings
    assert (settings.portal.about, settings.portal.keeper, settings.manners.delay, settings.crawl.pages) == (
        "A",
        "B",
        7,
        8,
    )


@pytest.mark.parametrize("content", [b"\xff\xfe broken", b"[portal\ntitle = ", b"[portal]\nprivate = 7\n"])
def test_a_damaged_settings_file_is_one_sentence_and_no_failure(made: Made, admin: TestClient, content: bytes) -> None:
    (made.folder / "thresher.toml").write_bytes(content)
    for answer in (admin.get("/manage/settings"), post(admin, "/manage/settings", key="portal.about", value="x")):
        assert answer.status_code == 503
        assert "thresher.toml" in answer.text
    assert admin.get("/").status_code == 200, "readers go on with the settings that could be read"
    assert (made.folder / "thresher.toml").read_bytes() == content, "nothing is lost"


def test_the_first_start_leaves_a_damaged_settings_file_as_it_is(made: Made, admin: TestClient) -> None:
    (made.folder / "thresher.toml").write_bytes(b"\xff\xfe broken")
    answer = post(admin, "/start/contact", contact="ann@example.org")
    assert answer.status_code == 503
    assert "Save it as UTF-8." in answer.text


def test_settings_are_explained_in_german(made: Made, admin: TestClient) -> None:
    admin.cookies.set("thresher_language", "de", domain="127.0.0.1")
    assert "robots.txt befolgen." in admin.get("/manage/settings?find=robots").text
    assert meanings_in("de").keys() <= descriptions().keys(), "no meaning of a setting that is gone"
    for key, value, said in (
        ("crawl.pages", "-1", "Es muss mindestens 0 sein."),
        ("crawl.pages", "many", "Es muss eine ganze Zahl sein."),
        ("crawl.scope", "moon", "Möglich sind:"),
        ("portal.private", "perhaps", "Es muss ja oder nein sein"),
    ):
        assert said in post(admin, "/manage/settings", key=key, value=value).text
