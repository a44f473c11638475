"""Accounts: the first one, signing in and out, wrong passwords, roles."""

from pathlib import Path

from starlette.testclient import TestClient

from tests.portal.made import PASSWORD, QUICK, Made, token_for
from thresher.accounts import Accounts
from thresher.portal.brakes import GuessBrake, RateLimit
from thresher.store.memory import MemoryStore
from thresher.store.portal_records import Role


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_the_first_account_is_made_by_the_link_and_only_once(made: Made) -> None:
    key = made.app.state.first_key
    assert key
    browser = made.browser()
    assert browser.get("/first?key=wrong").status_code == 403
    assert browser.get(f"/first?key={key}").status_code == 200
    fields = {"key": key, "name": "Maria", "password": PASSWORD, "token": token_for(browser)}
    answer = browser.post("/first", data=fields)
    assert answer.status_code == 303
    assert "Maria" in browser.get("/account").text
    assert [(user.name, user.role) for user in made.store.users.all()] == [("Maria", Role.ADMIN)]
    other = made.browser()
    again = {**fields, "name": "Eve", "token": token_for(other)}
    assert other.post("/first", data=again).status_code == 403
    assert other.get(f"/first?key={key}").status_code == 403


def test_the_first_account_needs_a_name_and_a_password(made: Made) -> None:
    browser = made.browser()
    fields = {"key": made.app.state.first_key, "token": token_for(browser)}
    for name, password in (("", PASSWORD), ("Maria", "short"), ("a\u202eb", PASSWORD), ("x" * 100, PASSWORD)):
        answer = browser.post("/first", data={**fields, "name": name, "password": password})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    assert made.store.users.all() == []


def sign_in(made: Made, name: str, password: str, back: str = "/") -> int:
    browser = made.browser()
    fields = {"name": name, "password": password, "back": back, "token": token_for(browser)}
    return browser.post("/sign-in", data=fields).status_code


def test_signing_in_and_out(made: Made) -> None:
    made.accounts.add("Maria", PASSWORD, Role.REVIEWER)
    browser = made.browser()
    fields = {"name": "maria", "password": PASSWORD, "back": "/topics", "token": token_for(browser)}
    answer = browser.post("/sign-in", data=fields)
    assert (answer.status_code, answer.headers["location"]) == (303, "/topics")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Maria" in browser.get("/").text
    old = browser.cookies["thresher_session"]
    assert browser.post("/sign-out", data={"token": token_for(browser)}).status_code == 303
    assert browser.get("/account").status_code == 303
    stolen = made.browser()
    stolen.cookies.set("thresher_session", old)
    assert stolen.get("/account").status_code == 303


def test_a_form_token_of_before_signing_in_is_worth_nothing_after(made: Made) -> None:
    browser = made.signed_in(Role.READER)
    stranger = made.browser()
    token = token_for(stranger)
    browser.cookies.set("thresher_visitor", stranger.cookies["thresher_visitor"])
    assert browser.post("/account/sign-out-everywhere", data={"token": token}).status_code == 403


def test_signing_out_everywhere_ends_all_browsers(made: Made) -> None:
    made.accounts.add("Maria", PASSWORD, Role.READER)
    user = made.store.users.get("Maria")
    assert user is not None
    browsers = []
    for _ in range(3):
        browser = made.browser()
        browser.cookies.set("thresher_session", made.accounts.sign_in(user), domain="127.0.0.1")
        browsers.append(browser)
    assert browsers[0].post("/account/sign-out-everywhere", data={"token": token_for(browsers[0])}).status_code == 303
    assert [browser.get("/account").status_code for browser in browsers] == [303, 303, 303]


def test_a_new_password_signs_out_all_other_browsers(made: Made) -> None:
    made.accounts.add("Maria", PASSWORD, Role.READER)
    user = made.store.users.get("Maria")
    assert user is not None
    mine, other = made.browser(), made.browser()
    for browser in (mine, other):
        browser.cookies.set("thresher_session", made.accounts.sign_in(user), domain="127.0.0.1")
    wrong = {"old": "not the password", "password": "another long password", "token": token_for(mine)}
    assert mine.post("/account/password", data=wrong).status_code == 400
    right = {**wrong, "old": PASSWORD}
    answer = mine.post("/account/password", data=right)
    assert answer.status_code == 303
    assert other.get("/account").status_code == 303
    assert made.accounts.check("Maria", PASSWORD) is None
    assert made.accounts.check("Maria", "another long password") is not None


def test_after_five_wrong_passwords_one_waits_even_with_the_right_one(made: Made) -> None:
    made.accounts.add("Maria", PASSWORD, Role.READER)
    assert [sign_in(made, "Maria", f"wrong {n}") for n in range(5)] == [401] * 5
    assert sign_in(made, "Maria", PASSWORD) == 429


def test_a_name_that_does_not_exist_is_not_told_apart(made: Made) -> None:
    made.accounts.add("Maria", PASSWORD, Role.READER)
    browser = made.browser()
    fields = {"password": "wrong password", "token": token_for(browser)}
    known = browser.post("/sign-in", data={**fields, "name": "Maria"}).text
    unknown = browser.post("/sign-in", data={**fields, "name": "Nobody"}).text
    assert known.replace("Maria", "") == unknown.replace("Nobody", "")


def test_the_wait_doubles_and_ends() -> None:
    clock = Clock()
    brake = GuessBrake(MemoryStore().tries, clock, free=2, first=10.0, longest=100.0)
    brake.missed("a")
    assert brake.wait("a") <= 0
    brake.missed("a")
    assert brake.wait("a", "b") == 10.0
    brake.missed("a")
    assert brake.wait("a") == 20.0
    for _ in range(40):
        brake.missed("a")
    assert brake.wait("a") == 100.0
    clock.now += 101
    assert brake.wait("a") <= 0
    brake.passed("a")
    brake.missed("a")
    assert brake.wait("a") <= 0


def test_a_limit_lets_so_many_through_and_then_more_later() -> None:
    clock = Clock()
    limit = RateLimit(MemoryStore().tries, "forms", 2, 60.0, clock)
    assert [limit.wait("a"), limit.wait("a")] == [0.0, 0.0]
    assert limit.wait("a") == 60.0
    assert limit.wait("b") == 0.0
    clock.now += 60
    assert limit.wait("a") == 0.0


def test_sessions_expire_and_only_digests_are_kept() -> None:
    clock, store = Clock(), MemoryStore()
    accounts = Accounts(store, QUICK, clock)
    user = accounts.add("Maria", PASSWORD, Role.READER)
    assert user is not None
    assert PASSWORD not in user.password
    token = accounts.sign_in(user)
    assert accounts.who(token) == user
    assert accounts.who("") is None
    clock.now += 31 * 86_400
    assert accounts.who(token) is None


def test_feedback_and_proposals_are_slowed_down(made: Made) -> None:
    browser = made.browser()
    token = token_for(browser)
    answers = [
        browser.post("/propose", data={"url": f"https://example.org/{n}", "token": token}).status_code
        for n in range(12)
    ]
    assert answers == [200] * 10 + [429] * 2
    assert len(made.store.inbox.proposals()) == 10


def test_brakes_hold_across_processes_and_restarts(made: Made) -> None:
    clock = Clock()
    one, other = (RateLimit(made.store.tries, "forms", 2, 60.0, clock) for _ in range(2))
    assert [one.wait("a"), other.wait("a")] == [0.0, 0.0]
    assert one.wait("a") == other.wait("a") == 60.0
    GuessBrake(made.store.tries, clock, free=1).missed("name maria")
    assert GuessBrake(made.store.tries, clock, free=1).wait("name maria") == 30.0


def test_only_a_proxy_of_ours_says_that_a_browser_came_by_https(tmp_path: Path) -> None:
    behind = Made(tmp_path / "behind", settings='[portal]\nproxies = ["10.0.0.0/8"]\n')
    try:
        told = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}
        for client, secure in (("10.1.2.3", True), ("192.0.2.1", False)):
            browser = TestClient(behind.app, base_url="http://localhost", client=(client, 50_000))
            cookie = browser.get("/sign-in", headers=told).headers["set-cookie"]
            assert ("secure" in cookie.lower()) is secure
    finally:
        behind.close()
