"""The available training pages, and those left out with the reason."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from thresher.config.settings import Settings
from thresher.documents.analyse import Reader
from thresher.errors import InputError, command
from thresher.reasons import Reason
from thresher.store.page_records import DocumentRow
from thresher.store.protocol import Store
from thresher.store.stored_page import page_of
from thresher.taxonomy.topic_tree import OTHERS
from thresher.train.labelled_urls import LabelledUrl
from thresher.train.local_files import is_file, read_file
from thresher.train.stored_pages import find
from thresher.train.trimming import trimmed
from thresher.types import Failed, ParsedPage
from thresher.web.urls import host_of
from thresher.work_faults import NoTrainingPage, PrivateTrainingPages


class UnusedPage(Struct, frozen=True):
    """A training page that is not used: the topic it was given for, and why not."""

    url: str
    topic: str
    reason: Reason
    detail: str = ""


class TrainingPages(Struct, frozen=True):
    """Pages to learn from with their labels, the stored ones among them, and the unused ones."""

    examples: list[tuple[ParsedPage, str | None]]
    rows: list[DocumentRow]
    unused: list[UnusedPage]


def gather(
    store: Store,
    wanted: Sequence[LabelledUrl],
    reader: Reader,
    settings: Settings,
    lessons: Sequence[DocumentRow] = (),
) -> TrainingPages:
    """Return the available pages of labelled URLs; a text is used only once per label.

    `lessons` are pages that were fetched for training and ask not to be kept: a person's own example still teaches.
    """
    unkept = {row.url_id: row for row in lessons}
    gathered = TrainingPages([], [], [])
    seen: dict[tuple[str | None, bytes | str], str] = {}
    for one in wanted:
        for found in _pages(store, one.url, reader, settings, unkept):
            page = page_of(found) if isinstance(found, DocumentRow) else found
            if one.without and isinstance(page, ParsedPage):
                page = trimmed(page, one.without)
            first = seen.get((one.label, page.digest or page.url)) if isinstance(page, ParsedPage) else None
            if isinstance(page, Failed):
                gathered.unused.append(_unused(one, page.reason, page.detail))
            elif not page.terms:
                gathered.unused.append(_unused(one, Reason.NO_TEXT))
            elif first is not None:
                gathered.unused.append(_unused(one, Reason.DUPLICATE, f"same text as {first}"))
            else:
                seen[one.label, page.digest or page.url] = one.url
                gathered.examples.append((page, one.label))
                if isinstance(found, DocumentRow):
                    gathered.rows.append(found)
    return gathered


def _pages(
    store: Store, url: str, reader: Reader, settings: Settings, unkept: Mapping[int, DocumentRow]
) -> Sequence[DocumentRow | ParsedPage | Failed]:
    """Return the pages for a URL: a page, the documents of an archive, or why it is left out."""
    if is_file(url):
        return [read_file(url, reader, settings)]
    found = find(store, url, unkept)
    return [found] if isinstance(found, Failed) else found


def left_out(portal: str, topics: dict[str, list[ParsedPage]], unused: Sequence[UnusedPage]) -> list[str]:
    """Return a warning for each topic without a usable page; raise InputError if no topic has one.

    A warning names the topic and what became of its pages.
    """
    empty = [name for name, pages in topics.items() if not pages]
    # If a topic is empty, so are all below it; a person can help the lowest ones.
    lowest = [name for name in empty if not any(other.startswith(f"{name}/") for other in empty)]
    private = sorted({host_of(page.url) for page in unused if page.reason is Reason.ADDRESS_FORBIDDEN})
    allowed = f"allow them in thresher.toml: [network] allow = {_listed(private)}"
    if len(empty) < len(topics):
        notes = [f"Some pages are at private addresses. If these are yours, {allowed}"] if private else []
        return notes + [
            f"The topic '{name}' is skipped: none of its pages can be used{_tried(name, unused)}." for name in lowest
        ]
    also = f" The same holds for {', '.join(lowest[1:6])}." if len(lowest) > 1 else ""
    if private:
        raise InputError(
            f"The topic '{lowest[0]}' has no usable training page: its pages are at private addresses, "
            f"which crawls may not reach{_tried(lowest[0], unused)}.{also}",
            f"If they are yours, {allowed}",
            PrivateTrainingPages(topic=lowest[0], host=private[0].strip("[]")),
        )
    raise InputError(
        f"The topic '{lowest[0]}' has no usable training page{_tried(lowest[0], unused)}.{also}",
        f"Add pages: {command('topics', portal, 'add', lowest[0], 'URL')} - or delete it: "
        f"{command('topics', portal, 'delete', lowest[0])}",
        NoTrainingPage(topic=lowest[0]),
    )


def _listed(hosts: Sequence[str]) -> str:
    """Return hosts in the syntax of a setting, only the first few.

    >>> _listed(["[::1]", "intranet.test"])
    '["::1", "intranet.test"]'
    """
    return "[" + ", ".join(f'"{host.strip("[]")}"' for host in hosts[:5]) + (", ...]" if len(hosts) > 5 else "]")


def _tried(topic: str, unused: Sequence[UnusedPage]) -> str:
    """Return, in parentheses, what became of the pages of a topic."""
    tried = [f"{page.url}: {page.reason.value}" for page in unused if page.topic == topic]
    return f" ({'; '.join(tried[:3])}{'; ...' if len(tried) > 3 else ''})" if tried else ""


def _unused(one: LabelledUrl, reason: Reason, detail: str = "") -> UnusedPage:
    return UnusedPage(one.url, one.label if one.label is not None else OTHERS.upper(), reason, detail)
