"""Draws bookmarks from a web, such as a person who knows a few pages of each topic might have collected."""

from collections.abc import Mapping, Sequence
from html import escape
from random import Random
from typing import Final, Literal

from thresher.bench.webs.web import BenchWeb
from thresher.errors import InputError
from thresher.web.urls import host_of

Spread = Literal["one", "many"]
DEAD: Final = "thresher-bench-dead-page.html"


def draw_bookmarks(
    web: BenchWeb, topics: Sequence[str], examples: int, spread: Spread, seed: int, *, wrong: int = 0, dead: int = 0
) -> bytes:
    """Return a bookmark file with a folder for each topic and `examples` pages in it.

    They come from one host of the topic, or in turn from as many hosts as it has. The last `wrong` pages of each topic
    belong to no topic, and the `dead` before them no longer exist. Draws use `random.Random`, seeded with
    `WEB/promise/TOPIC/SEED`; raises InputError if a topic has too few pages.
    """
    strangers = sorted(url for url, labels in web.labels.items() if not set(labels) & set(topics))
    folders: dict[str, list[str]] = {}
    for topic in topics:
        rng = Random(f"{web.name}/promise/{topic}/{seed}")
        pages = _pages(web, topic, examples, spread, rng)
        astray = rng.sample(strangers, wrong) if wrong else []
        last = len(pages) - wrong
        lost = [f"http://{host_of(url)}/{DEAD}" for url in pages[last - dead : last]]
        folders[topic] = [*pages[: last - dead], *lost, *astray]
    return netscape(folders)


def netscape(folders: Mapping[str, Sequence[str]]) -> bytes:
    """Return bookmarks as browsers export them; a folder is named after its topic, without slashes.

    >>> netscape({"a/b": ["http://a.test/"]}).count(b"<H3>a b</H3>")
    1
    """
    lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<TITLE>Bookmarks</TITLE>", "<DL><p>"]
    for topic, urls in folders.items():
        links = [f'<DT><A HREF="{escape(url)}">{escape(url)}</A>' for url in urls]
        lines += [f"<DT><H3>{escape(folder_of(topic))}</H3>", "<DL><p>", *links, "</DL><p>"]
    return "\n".join([*lines, "</DL><p>", ""]).encode()


def folder_of(topic: str) -> str:
    """Return the folder name of a topic.

    >>> folder_of("labrend/foweck")
    'labrend foweck'
    """
    return topic.replace("/", " ")


def _pages(web: BenchWeb, topic: str, examples: int, spread: Spread, rng: Random) -> list[str]:
    by_host: dict[str, list[str]] = {}
    for url in sorted(url for url, labels in web.labels.items() if topic in labels and url in web.served):
        by_host.setdefault(host_of(url), []).append(url)
    for pages in by_host.values():
        rng.shuffle(pages)
    rich = sorted(host for host, pages in by_host.items() if len(pages) >= examples)
    if spread == "one" and rich:
        # The host of a random page, since more people know large hosts.
        return by_host[host_of(rng.choice([url for host in rich for url in by_host[host]]))][:examples]
    hosts = rng.sample(sorted(by_host), len(by_host))
    turns = [by_host[host][turn] for turn in range(examples) for host in hosts if turn < len(by_host[host])]
    if len(turns) < examples or spread == "one":
        raise InputError(
            f"'{web.name}' has no {'host' if spread == 'one' else 'room'} with {examples} pages of '{topic}'.",
            "Ask for fewer examples, or take them from many hosts.",
        )
    return turns[:examples]
