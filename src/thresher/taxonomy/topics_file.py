"""`topics.toml`: the topics of a portal as a file that people can read and edit.

Every `[[topic]]` has a `path`, a list of names or one string with slashes, and `pages`, each a URL or a table with
`url`, `title`, `added` (seconds since the epoch), `note`, `tags` and `without`, the digests of passages that do not
belong. `others` are negative examples for its children, `indicators` words that a page must have some of, `languages`
the ISO codes it is limited to, `query` a text that counts as a training page, `note` its description, `added` its date,
`good` words that identify the topic and `bad` words that do not help to identify it. At the top level, `seeds` are
start pages without a topic, and `others` pages far from every topic.
"""

import difflib
import tomllib
from typing import Any, Final

import tomli_w
from msgspec import structs

from thresher.errors import InputError
from thresher.taxonomy.shelves import tidy
from thresher.taxonomy.topic_tree import Path, Taxonomy, Topic, TrainingPage, distinct, name_of, parsed, put
from thresher.web.urls import canonical
from thresher.work_faults import TopicsUnreadable

FILE: Final = "topics.toml"
_HEAD: Final = "# The topics of this portal; see docs/TOPICS.md. `thresher topics` shows and changes them.\n\n"
_TOP: Final = ("topic", "seeds", "others")
_TOPIC: Final = ("path", "pages", "others", "indicators", "languages", "query", "note", "added", "good", "bad")
_PAGE: Final = ("url", "title", "added", "note", "tags", "without")


def read_topics(text: str, name: str = FILE) -> Taxonomy:
    """Read a topics file; raise InputError with the location of an error.

    >>> taxonomy = read_topics('[[topic]]\\npath = "Boats/Sails"\\npages = ["http://a.test"]')
    >>> [(path, topic.pages[0].url) for path, topic in taxonomy.walk() if topic.pages]
    [(('Boats', 'Sails'), 'http://a.test/')]
    """
    try:
        data = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise InputError(
            f"{name} is nested too deeply.", "Name topics by their paths, as in Boats/Sails.", TopicsUnreadable()
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not valid TOML: {error}.", "Fix that line.", TopicsUnreadable()) from None
    _known(data, _TOP, name)
    taxonomy = Taxonomy(root=Topic(name="", others=_pages(data, "others", name)), seeds=_pages(data, "seeds", name))
    topics = data.get("topic", [])
    if not isinstance(topics, list):
        raise InputError(f"'topic' in {name} is not a list.", "Write [[topic]] with two brackets.", TopicsUnreadable())
    for number, table in enumerate(topics, 1):
        path, topic = _topic(table, f"topic {number} of {name}")
        present = taxonomy.get(path)
        if present is not None and present != Topic(name=path[-1], children=present.children):
            raise InputError(f"'{'/'.join(path)}' occurs twice in {name}.", "Keep one of the two.", TopicsUnreadable())
        taxonomy = put(taxonomy, path, structs.replace(topic, children=present.children if present else ()))
    return taxonomy


def write_topics(taxonomy: Taxonomy) -> str:
    """Return the topics as a file that `read_topics` reads back without loss."""
    data: dict[str, Any] = {}
    if taxonomy.seeds:
        data["seeds"] = [_page_table(page) for page in taxonomy.seeds]
    if taxonomy.root.others:
        data["others"] = [_page_table(page) for page in taxonomy.root.others]
    data["topic"] = [_topic_table(path, topic) for path, topic in taxonomy.walk()]
    return _HEAD + tomli_w.dumps(data)


def _topic_table(path: Path, topic: Topic) -> dict[str, Any]:
    table: dict[str, Any] = {"path": list(path), "pages": [_page_table(page) for page in topic.pages]}
    if topic.others:
        table["others"] = [_page_table(page) for page in topic.others]
    for key in ("indicators", "languages", "good", "bad"):
        if getattr(topic, key):
            table[key] = list(getattr(topic, key))
    return table | {
        key: value for key in ("query", "note", "added") if (value := getattr(topic, key)) not in ("", None)
    }


def _page_table(page: TrainingPage) -> dict[str, Any] | str:
    table = {key: value for key, value in structs.asdict(page).items() if value not in ("", None, ())}
    return page.url if len(table) == 1 else {key: list(v) if isinstance(v, tuple) else v for key, v in table.items()}


def _known(table: Any, keys: tuple[str, ...], place: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InputError(f"{place} is not a table.", f"It may have: {', '.join(keys)}.", TopicsUnreadable())
    for key in table:
        if key not in keys:
            close = difflib.get_close_matches(key, keys, 1, 0.5)
            remedy = f"Did you mean '{close[0]}'?" if close else f"There are: {', '.join(keys)}."
            raise InputError(f"There is no '{key}' in {place}.", remedy, TopicsUnreadable())
    return table


def _topic(table: Any, place: str) -> tuple[Path, Topic]:
    known = _known(table, _TOPIC, place)
    given = known.get("path")
    names = parsed(given) if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not names or not all(isinstance(name, str) and name for name in names):
        raise InputError(
            f"{place} has no path.",
            'Write path = ["Science", "Physics"] or path = "Science/Physics".',
            TopicsUnreadable(),
        )
    path = tuple(name_of(name) for name in names)
    topic = Topic(
        name=path[-1],
        pages=_pages(known, "pages", place),
        others=_pages(known, "others", place),
        indicators=_texts(known, "indicators", place),
        languages=tuple(code.lower() for code in _texts(known, "languages", place)),
        query=tidy(_text(known, "query", place)),
        note=_text(known, "note", place),
        added=_date(known, place),
        good=_texts(known, "good", place),
        bad=_texts(known, "bad", place),
    )
    return path, topic


def _pages(table: dict[str, Any], key: str, place: str) -> tuple[TrainingPage, ...]:
    given = table.get(key, [])
    if not isinstance(given, list):
        raise InputError(f"'{key}' of {place} is not a list.", f'Write {key} = ["https://..."].', TopicsUnreadable())
    return distinct([_page(entry, f"'{key}' of {place}") for entry in given])


def _page(entry: Any, place: str) -> TrainingPage:
    if isinstance(entry, str):
        entry = {"url": entry}
    table = _known(entry, _PAGE, place)
    written = _text(table, "url", place)
    url = written if written.startswith("file:///") else canonical(written)
    if url is None:
        raise InputError(
            f"'{written[:200]}' in {place} is not an http, https or file URL.", "Fix or delete it.", TopicsUnreadable()
        )
    title, note, tags = tidy(_text(table, "title", place)), _text(table, "note", place), _texts(table, "tags", place)
    return TrainingPage(url, title, _date(table, place), note, tags, _texts(table, "without", place))


def _date(table: dict[str, Any], place: str) -> int | None:
    added = table.get("added")
    if added is None or (isinstance(added, int) and not isinstance(added, bool)):
        return added
    raise InputError(
        f"'added' in {place} is not a number.", "Write it in seconds since 1970, or leave it out.", TopicsUnreadable()
    )


def _text(table: dict[str, Any], key: str, place: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"'{key}' of {place} is not a string.", "Put it in quotation marks.", TopicsUnreadable())
    return value


def _texts(table: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(
            f"'{key}' of {place} is not a list of strings.", f'Write {key} = ["one", "two"].', TopicsUnreadable()
        )
    return tuple(dict.fromkeys(value))
