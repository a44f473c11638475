"""Who may ask, how much may be sent, where one is led, and what a stored copy can do."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st

from tests.portal.made import HOSTILE, PAYLOADS, Made, token_for
from thresher.portal.citing import Citation, bibtex, ris
from thresher.portal.copies import harmless
from thresher.portal.form_tokens import local_path
from thresher.portal.ids import page_name
from thresher.portal.security import MAX_BODY
from thresher.portal.twins import attachment


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080", "", "a b"])
def test_a_request_for_another_host_is_refused(made: Made, host: str) -> None:
    answer = made.client.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "Round pots" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:1"])
def test_a_request_for_this_machine_is_answered(made: Made, host: str) -> None:
    assert made.client.get("/healthz", headers={"host": host}).json() == {"status": "ok"}


def test_the_settings_name_more_hosts(tmp_path: Path) -> None:
    made = Made(tmp_path / "p", settings='[portal]\nhosts = ["portal.example"]\n', pages=False)
    assert made.client.get("/healthz", headers={"host": "Portal.example:443"}).status_code == 200
    assert made.client.get("/healthz", headers={"host": "x.portal.example"}).status_code == 421
    made.close()


def test_a_form_that_is_too_large_is_refused(made: Made) -> None:
    token = token_for(made.client)
    answer = made.client.post("/propose", data={"token": token, "note": "x" * MAX_BODY})
    assert answer.status_code == 413

    def endless() -> Any:
        for _ in range(100):
            yield b"note=" + b"x" * 10_000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = made.client.post("/propose", content=endless(), headers=headers)
    assert answer.status_code >= 400
    assert made.store.inbox.proposals() == []


def test_damaged_forms_do_not_fill_the_log(made: Made, caplog: pytest.LogCaptureFixture) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    assert made.client.post("/propose", content=b"{" * 50, headers=headers).status_code == 400
    assert caplog.records == []


@given(st.text(max_size=60))
def test_one_is_never_led_to_another_site(text: str) -> None:
    for address in (text, f"/{text}", f"//{text}", f"/\\{text}"):
        led = local_path(address)
        assert led.startswith("/")
        assert not led.startswith(("//", "/\\"))
        assert "\n" not in led


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_choices_and_signing_in_lead_nowhere_else(made: Made, back: str) -> None:
    assert made.client.get("/look", params={"theme": "dark", "back": back}).headers["location"] == "/"


@pytest.mark.parametrize("name", ["..%2f..%2fthresher.toml", "../../portal.db", "%2e%2e/portal.db", "portal.css"])
def test_only_our_own_assets_are_served(made: Made, name: str) -> None:
    assert made.client.get(f"/static/{name}").status_code == 404


@given(st.text(max_size=200))
def test_a_stored_copy_runs_nothing_and_asks_for_nothing(text: str) -> None:
    for html in (text, f"<p>{text}", f"<a {text}>x</a>", f'<img src="{text}">'):
        made = harmless(html).lower()
        assert "<script" not in made
        assert "<iframe" not in made


@pytest.mark.parametrize(
    "html",
    [
        "<script src=//evil.example></script>",
        "<img src=http://evil.example/x srcset='http://evil.example/y 2x' onerror=alert(1)>",
        "<meta http-equiv=refresh content='0;url=http://evil.example'>",
        "<link rel=preconnect href=http://evil.example><link rel=stylesheet href=http://evil.example>",
        "<base href=http://evil.example><form action=http://evil.example><button formaction=http://evil.example>",
        "<a href='javascript:alert(1)' ping=http://evil.example>x</a><svg><script>alert(1)</script></svg>",
        "<iframe srcdoc='<script>alert(1)</script>' src=http://evil.example></iframe>",
        "<body background=http://evil.example onload=alert(1)><video poster=http://evil.example>",
        "<div style='background:url(http://evil.example)'>x</div><object data=http://evil.example></object>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    ],
)
def test_what_runs_or_asks_is_taken_out_of_a_copy(html: str) -> None:
    made = harmless(html)
    assert "evil.example" not in made
    assert "<script" not in made
    assert "javascript:" not in made
    assert "<img src=x onerror" not in made.replace("&lt;", "")


def test_a_stored_copy_has_a_sandbox_of_its_own(made: Made) -> None:
    name = page_name(made.rows[0].url_id)
    frame = made.client.get(f"/d/{name}/copy").text
    assert '<iframe class="paper" sandbox=""' in frame
    raw = made.client.get(f"/d/{name}/copy/raw")
    policy = raw.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "allow-same-origin" not in policy
    assert "allow-scripts" not in policy
    assert "A pot of tea" in raw.text


def test_a_page_that_asks_for_it_is_neither_copied_nor_quoted_nor_shown(made: Made) -> None:
    secret, quiet = (page_name(row.url_id) for row in made.rows[5:7])
    assert made.client.get(f"/d/{secret}").status_code == 404
    assert "secret.test" not in made.client.get("/new").text
    assert made.client.get(f"/d/{quiet}/copy").status_code == 404
    assert made.client.get(f"/d/{quiet}/copy/raw").status_code == 404
    assert "Not to quote" not in made.client.get(f"/d/{quiet}").text + made.client.get("/new").text


@given(st.text(max_size=100))
def test_no_title_breaks_out_of_a_file_name_or_a_reference(text: str) -> None:
    field = attachment(text, "csv")
    assert field.isascii()
    assert not set(field) & set('"\\\r\n/')
    cited = [Citation(name="1", title=text, url="http://a.test/", site=text, seen=0.0, author=text)]
    lines = ris(cited).split("\r\n")
    assert next(line[:6] for line in lines if line) == "TY  - "
    assert all(line == "" or line[2:6] == "  - " for line in lines)
    inside = bibtex(cited).replace("\\{", "").replace("\\}", "")
    assert inside.count("{") == inside.count("}")


def test_payloads_in_csv_cannot_compute(hostile: Made) -> None:
    for line in hostile.client.get("/new.csv").text.splitlines():
        assert not any(cell.startswith(("=", "+", "@")) for cell in line.replace('"', "").split(","))
    assert PAYLOADS[6] in HOSTILE


def test_something_unforeseen_ends_in_a_page_with_the_policy(made: Made) -> None:
    def broken() -> None:
        raise RuntimeError(HOSTILE)

    app: FastAPI = made.app
    app.add_api_route("/broken", broken)
    answer = made.browser().get("/broken")
    assert answer.status_code == 500
    assert "This page could not be shown" in answer.text
    assert "RuntimeError" not in answer.text
    assert "content-security-policy" in answer.headers
