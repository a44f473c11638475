"""Every route is known here: who may use it, that its forms are checked, and that it escapes what it shows.

The list is taken from the application: a new route without a sample below fails.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from msgspec import Struct

from tests.portal.keeper_samples import KEEPER_ROLES, keeper_samples
from tests.portal.made import HOSTILE, Made, token_for
from tests.portal.work_samples import WORK_ROLES, WORK_SAMPLES
from thresher.portal.ids import page_name, site_address, topic_address
from thresher.store.portal_records import Role

OPEN = frozenset({"/sign-in", "/sign-out", "/first", "/look", "/static/{name}", "/healthz"})
"""What is shown even where the portal is private."""

SIGNED_IN = (
    {
        "/account": Role.READER,
        "/account/password": Role.READER,
        "/account/feed": Role.REVIEWER,
        "/account/feed/remove": Role.READER,
        "/account/sign-out-everywhere": Role.READER,
        "/account/browsers": Role.REVIEWER,
        "/account/browsers/make": Role.REVIEWER,
        "/account/browsers/remove": Role.REVIEWER,
        "/browsing/hello.json": Role.REVIEWER,
        "/browsing/sessions.json": Role.REVIEWER,
    }
    | WORK_ROLES
    | KEEPER_ROLES
)
"""What needs an account, and of which role."""


class Sample(Struct, frozen=True):
    """How a route is tried: addresses for GET, or the fields of a form with hostile values."""

    addresses: tuple[str, ...] = ()
    fields: dict[str, str] = {}


def samples(made: Made) -> dict[str, Sample]:
    """Return a sample for every route, with the hostile values that it can be given."""
    name = page_name(made.rows[0].url_id)
    topic = next(iter(made.app.state.library.overview().nodes))
    evil = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    twins = ("json", "csv", "atom", "html", "ris", "bib")
    return {
        "/": Sample(("/", f"/?x={evil}")),
        "/topics": Sample(("/topics",)),
        "/look": Sample((f"/look?theme=dark&back=/{evil}",)),
        "/static/{name}": Sample((f"/static/{evil}",)),
        "/healthz": Sample(("/healthz",)),
        "/opensearch.xml": Sample(("/opensearch.xml",)),
        "/search": Sample(
            (
                "/search",
                f"/search?q={evil}&topic={evil}&site={evil}&type={evil}&lang={evil}&sure={evil}&found={evil}&sort=mix",
            )
        ),
        "/search.{kind}": Sample(tuple(f"/search.{kind}?q=pot" for kind in (*twins, "exe"))),
        "/t/{path:path}": Sample(
            (
                topic_address(topic),
                topic_address(topic) + "?order=links",
                f"/t/{evil}",
                *tuple(f"{topic_address(topic)}.{kind}" for kind in twins),
            )
        ),
        "/new": Sample(("/new", f"/new?page=1&{evil}={evil}")),
        "/new.{kind}": Sample(tuple(f"/new.{kind}" for kind in (*twins, evil))),
        "/site/{host}": Sample(
            (site_address("a.test"), f"/site/{evil}", *tuple(f"/site/a.test.{kind}" for kind in twins))
        ),
        "/d/{name}": Sample((f"/d/{name}", f"/d/{evil}")),
        "/d/{name}.{kind}": Sample((f"/d/{name}.bib", f"/d/{name}.ris", f"/d/{name}.{evil}")),
        "/d/{name}/similar": Sample((f"/d/{name}/similar",)),
        "/d/{name}/copy": Sample((f"/d/{name}/copy",)),
        "/d/{name}/copy/raw": Sample((f"/d/{name}/copy/raw",)),
        "/propose": Sample(
            ("/propose", f"/propose?topic={evil}&url={evil}"), {"url": HOSTILE, "topic": HOSTILE, "note": HOSTILE}
        ),
        "/click": Sample(fields={"q": HOSTILE, "page": name, "place": "2"}),
        "/feedback": Sample(
            (f"/feedback?page={name}",), {"page": name, "verdict": "better", "better": HOSTILE, "note": HOSTILE}
        ),
        "/about": Sample(("/about",)),
        "/crawler": Sample(("/crawler",)),
        "/help": Sample(("/help",)),
        "/keys": Sample(("/keys",), {"key_search": "x", "key_down": HOSTILE[:1]}),
        "/api": Sample(("/api",)),
        "/sign-in": Sample((f"/sign-in?back=/{evil}",), {"name": HOSTILE, "password": HOSTILE, "back": HOSTILE}),
        "/sign-out": Sample(fields={"x": "y"}),
        "/first": Sample(
            (f"/first?key={made.app.state.first_key}", f"/first?key={evil}"),
            {"key": made.app.state.first_key, "name": HOSTILE, "password": "short"},
        ),
        "/account": Sample(("/account",)),
        "/account/password": Sample(fields={"old": HOSTILE, "password": HOSTILE}),
        "/account/sign-out-everywhere": Sample(fields={"x": "y"}),
        "/account/feed": Sample(fields={"x": "y"}),
        "/account/feed/remove": Sample(fields={"x": "y"}),
        "/account/browsers": Sample(("/account/browsers",)),
        "/account/browsers/make": Sample(fields={"name": HOSTILE[:50]}),
        "/account/browsers/remove": Sample(fields={"key": "1"}),
        "/browsing/hello.json": Sample(("/browsing/hello.json",)),
        "/browsing/sessions.json": Sample(fields={"pages": HOSTILE}),
    } | {path: Sample(*tried) for path, tried in [*WORK_SAMPLES.items(), *keeper_samples(name, evil).items()]}


def flat(found: Iterable[Any]) -> Iterator[Any]:
    """Give routes, those of included routers too."""
    for route in found:
        inner = getattr(route, "original_router", None)
        if inner is None:
            yield route
        else:
            yield from flat(inner.routes)


def routes(made: Made) -> Iterator[tuple[str, str, APIRoute]]:
    """Give (path, method, route) of everything the application answers."""
    for route in flat(made.app.routes):
        if isinstance(route, APIRoute):
            for method in sorted(route.methods - {"HEAD"}):
                yield route.path, method, route


def test_every_route_is_declared_with_its_access_and_has_a_sample(hostile: Made) -> None:
    known = samples(hostile)
    for path, method, route in routes(hostile):
        assert route.openapi_extra, f"{path} is not declared through doors"
        assert path in known, f"{method} {path} has no sample"
        wanted = "open" if path in OPEN else SIGNED_IN[path].value if path in SIGNED_IN else "everyone"
        assert route.openapi_extra["x-access"] == wanted, path
        assert method in ("GET", "POST"), path
        assert known[path].addresses if method == "GET" else known[path].fields, f"{method} {path} has no sample"
    assert {path for path, _, _ in routes(hostile)} == set(known)
    others = {route.path for route in flat(hostile.app.routes) if not isinstance(route, APIRoute)}
    assert others <= {"/openapi.json"}


@pytest.mark.slow
def test_no_form_is_taken_without_its_token_or_from_another_site(made: Made) -> None:
    tried = 0
    for path, method, _ in routes(made):
        if method != "POST":
            continue
        fields = samples(made)[path].fields
        for browser in (made.browser(), made.signed_in(Role.ADMIN)):
            token = token_for(browser)
            before = len(made.store.inbox.feedback()) + len(made.store.inbox.proposals()) + len(made.store.users.all())
            for sent, headers in (
                ({}, {}),
                ({"token": "wrong"}, {}),
                ({"token": token}, {"origin": "http://evil.example"}),
                ({"token": token}, {"sec-fetch-site": "cross-site"}),
                ({"token": token}, {"sec-fetch-site": "same-site"}),
            ):
                answer = browser.post(path, data={**fields, **sent}, headers=headers)
                # Whoever may not even see the form is led to sign in, and programs need a key.
                led = answer.headers.get("location", "").startswith("/sign-in")
                assert led or answer.status_code in (401, 403), path
                tried += 1
            assert before == len(made.store.inbox.feedback()) + len(made.store.inbox.proposals()) + len(
                made.store.users.all()
            )
    assert tried >= 5 * 2 * 7


@pytest.mark.slow
def test_a_route_that_needs_an_account_leads_to_the_sign_in_page(made: Made) -> None:
    for path, method, _ in routes(made):
        sample = samples(made)[path]
        browser = made.browser()
        answers = (
            [browser.get(address) for address in sample.addresses]
            if method == "GET"
            else [browser.post(path, data={**sample.fields, "token": token_for(browser)})]
        )
        for answer in answers:
            # Programs get a status, not a page.
            led = answer.headers.get("location", "").startswith("/sign-in?back=") or answer.status_code == 401
            assert led is (path in SIGNED_IN), path
            assert answer.status_code < 500, path


@pytest.mark.slow
def test_a_private_portal_shows_nothing_but_the_sign_in_page(tmp_path: Path) -> None:
    made = Made(tmp_path / "private", settings="[portal]\nprivate = true\n")
    for path, method, _ in routes(made):
        if method != "GET" or path in OPEN:
            continue
        for address in samples(made)[path].addresses:
            answer = made.browser().get(address)
            assert answer.status_code in (303, 401, 404), address
            assert "5 pages" not in answer.text, address
            assert "Round pots" not in answer.text
            assert "a.test" not in answer.text
    reader = made.signed_in(Role.READER)
    assert "Round pots" in reader.get("/new").text
    made.close()


UNESCAPED = re.compile(r"<script>|<img src=x|<svg onload|onerror=alert\(2\)>(?!.*&gt;)|<b onmouseover", re.IGNORECASE)


@pytest.mark.slow
def test_every_answer_escapes_what_comes_from_the_web_and_from_readers(hostile: Made) -> None:
    looked = 0
    for browser in (hostile.browser(), hostile.signed_in(Role.ADMIN, f"Eve{HOSTILE[:20]}")):
        for path, method, _ in routes(hostile):
            sample = samples(hostile)[path]
            answers: list[Any] = (
                [browser.get(address) for address in sample.addresses]
                if method == "GET"
                else [browser.post(path, data={**sample.fields, "token": token_for(browser)})]
            )
            for answer in answers:
                looked += 1
                kind = answer.headers.get("content-type", "")
                assert answer.status_code < 500, answer.url
                if "html" in kind or "xml" in kind:
                    found = UNESCAPED.search(answer.text)
                    assert found is None, f"{answer.url}: {answer.text[max(0, found.start() - 80) : found.end() + 80]}"
                assert "49<b" not in answer.text, f"{answer.url} fills templates of strangers"
                location = answer.headers.get("location", "/")
                assert location.startswith("/"), answer.url
                assert not location.startswith("//"), answer.url
    assert looked > 80


@pytest.mark.slow
def test_every_answer_carries_the_policy(hostile: Made) -> None:
    for path, method, _ in routes(hostile):
        if method == "GET":
            for address in samples(hostile)[path].addresses:
                headers = hostile.client.get(address).headers
                policy = headers["content-security-policy"]
                assert "unsafe-eval" not in policy
                assert ("unsafe-inline" in policy) is ("sandbox" in policy)
                assert "default-src 'none'" in policy
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["referrer-policy"] == "same-origin"
    assert "content-security-policy" in hostile.client.get("/nothing/here").headers
