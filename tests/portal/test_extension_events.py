"""What the extension records of a browser's events, run by Node without a browser."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EXTENSION = Path(__file__).parents[2] / "extension"
NODE = shutil.which("node")

BROWSER = """
const heard = {};
const kept = { session: {}, local: { address: "http://portal.test:8080", key: "k" } };
const event = (name) => ({ addListener: (listener) => (heard[name] = listener) });
const area = (name) => ({
  get: async () => structuredClone(kept[name]),
  set: async (values) => Object.assign(kept[name], structuredClone(values)),
});
globalThis.chrome = {
  storage: { session: area("session"), local: area("local") },
  action: { setBadgeText: async () => {} },
  webNavigation: {
    onCommitted: event("arrived"),
    onHistoryStateUpdated: event("moved"),
    onCreatedNavigationTarget: event("opened"),
    onCompleted: event("completed"),
  },
  tabs: {
    onUpdated: event("updated"),
    onActivated: event("activated"),
    onRemoved: event("removed"),
    query: async () => [],
    get: async () => ({}),
  },
  runtime: { id: "x", onMessage: event("message") },
};
(0, eval)(require("fs").readFileSync(process.argv[1], "utf8"));
const send = (action, url) => new Promise((reply) => heard.message({ action, url }, { id: "x" }, reply));
const visit = (url, transitionType) => heard.arrived({ tabId: 1, frameId: 0, url, transitionType });
const session = () => kept.session.session;
"""

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def told(steps: str) -> Any:
    """Start recording, do some steps, and return what the last of them gives."""
    assert NODE is not None
    script = f"{BROWSER}(async () => {{ await send('start'); {steps} }})().then((a) => console.log(JSON.stringify(a)))"
    done = subprocess.run(
        [NODE, "-e", script, str(EXTENSION / "background.js")], capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(done.stdout)


def test_no_link_leads_over_a_page_that_is_not_recorded() -> None:
    links = told("""
        await visit("http://a.test/", "typed");
        await visit("http://portal.test:8080/search?q=boats", "typed");
        await visit("http://b.test/", "link");
        return session().links;
    """)
    assert links == []


def test_a_removed_page_does_not_come_back() -> None:
    pages = told("""
        await visit("http://a.test/", "typed");
        await send("drop", "http://a.test/");
        await visit("http://b.test/", "link");
        return session().pages.map((page) => page.url);
    """)
    assert pages == ["http://b.test/"]


def test_long_titles_are_cut_and_long_addresses_left_out() -> None:
    pages = told("""
        await visit("http://a.test/" + "x".repeat(2000), "typed");
        await visit("http://a.test/", "typed");
        heard.updated(1, { title: "t".repeat(1000) }, { url: "http://a.test/" });
        await send("mark");
        return session().pages.map((page) => [page.url, page.title.length, page.useful]);
    """)
    assert pages == [["http://a.test/", 300, True]]


@pytest.mark.parametrize(
    ("status", "said"), [(413, "The session is too large"), (502, "The portal answered 502"), (200, "Something else")]
)
def test_answers_that_are_not_json_are_told(status: int, said: str) -> None:
    answer = told(f"""
        globalThis.fetch = async () => new Response("<p>No JSON", {{ status: {status} }});
        return send("submit");
    """)
    assert answer["error"].startswith(said)
