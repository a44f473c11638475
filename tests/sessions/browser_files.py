"""Databases of browsers with the tables that Firefox and Chrome make, and visits to put into them."""

import json
from collections.abc import Iterable
from pathlib import Path

import apsw

FIREFOX = """
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR,
    visit_count INTEGER DEFAULT 0, hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL,
    frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT, foreign_count INTEGER DEFAULT 0 NOT NULL,
    url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT, site_name TEXT, origin_id INTEGER);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER, visit_date INTEGER,
    visit_type INTEGER, session INTEGER, source INTEGER DEFAULT 0 NOT NULL, triggeringPlaceId INTEGER);
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER,
    position INTEGER, title LONGVARCHAR, keyword_id INTEGER, folder_type TEXT, dateAdded INTEGER, lastModified INTEGER,
    guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0, syncChangeCounter INTEGER NOT NULL DEFAULT 1);
INSERT INTO moz_bookmarks (id, type, parent, title, guid) VALUES (1, 2, 0, '', 'root________'),
    (2, 2, 1, 'menu', 'menu________'), (3, 2, 1, 'tags', 'tags________'), (4, 2, 2, 'Sea', 'seaseaseasea'),
    (5, 2, 4, 'Boats', 'boatsboatsbo'), (6, 2, 3, 'red', 'redredredred');
"""
CHROME = """
CREATE TABLE urls (id INTEGER PRIMARY KEY AUTOINCREMENT, url LONGVARCHAR, title LONGVARCHAR,
    visit_count INTEGER DEFAULT 0 NOT NULL, typed_count INTEGER DEFAULT 0 NOT NULL, last_visit_time INTEGER NOT NULL,
    hidden INTEGER DEFAULT 0 NOT NULL);
CREATE TABLE visits (id INTEGER PRIMARY KEY AUTOINCREMENT, url INTEGER NOT NULL, visit_time INTEGER NOT NULL,
    from_visit INTEGER, external_referrer_url TEXT, transition INTEGER DEFAULT 0 NOT NULL, segment_id INTEGER,
    visit_duration INTEGER DEFAULT 0 NOT NULL, incremented_omnibox_typed_score BOOLEAN DEFAULT FALSE NOT NULL,
    opener_visit INTEGER, originator_cache_guid TEXT, originator_visit_id INTEGER, is_known_to_sync BOOLEAN);
"""
EPOCH = 11_644_473_600

START = 1_780_000_000.0
"""When the first visit was, in seconds since 1970."""

LINK, TYPED, BOOKMARK, EMBED, PERMANENT, TEMPORARY, DOWNLOAD, FRAMED, RELOAD = range(1, 10)
"""The kinds of visits of Firefox."""

Row = tuple[int, int, float, int, str]
"""Number of a visit, the one before it, minutes after the start, its kind or transition, and the address."""

FIREFOX_VISITS: list[Row] = [
    (1, 0, 0.0, TYPED, "https://www.port.test/"),
    (2, 1, 1.0, LINK, "https://port.test/list?utm_source=x"),
    (3, 2, 2.0, LINK, "https://go.test/?to=boat"),
    (4, 3, 2.1, TEMPORARY, "https://boats.test/red"),
    (5, 4, 2.2, EMBED, "https://boats.test/frame"),
    (6, 2, 3.0, RELOAD, "https://port.test/list"),
    (7, 0, 4.0, TYPED, "http://192.168.1.1/router"),
    (8, 0, 5.0, TYPED, "about:config"),
    (9, 4, 200.0, LINK, "https://boats.test/blue"),
    (10, 0, 201.0, BOOKMARK, "https://bank.test/account"),
    (11, 0, 400.0, TYPED, "https://news.test/"),
]
"""From a port over a list and a redirect to a boat; hours later from there to another, and elsewhere."""


def make_firefox(path: Path, visits: Iterable[Row] = FIREFOX_VISITS, *, wal: bool = False) -> apsw.Connection:
    """Write a history of Firefox, with boats bookmarked, and return the connection that has it open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(FIREFOX)
    if wal:
        connection.pragma("journal_mode", "wal")
        connection.wal_autocheckpoint(0)
    places: dict[str, int] = {}
    with connection:
        for id_, source, minutes, kind, url in visits:
            place = places.setdefault(url, len(places) + 1)
            title = url.rpartition("/")[2] or None
            connection.execute(
                "INSERT OR IGNORE INTO moz_places (id, url, title) VALUES (?, ?, ?)", (place, url, title)
            )
            at = int((START + 60 * minutes) * 1_000_000)
            connection.execute(
                "INSERT INTO moz_historyvisits (id, from_visit, place_id, visit_date, visit_type)"
                " VALUES (?, ?, ?, ?, ?)",
                (id_, source, place, at, kind),
            )
        marks = [("https://boats.test/red", 5), ("https://news.test/", 2), ("https://bank.test/account", 6)]
        for number, (url, folder) in enumerate(marks, 10):
            if url in places:
                sql = "INSERT INTO moz_bookmarks (id, type, fk, parent, title, guid) VALUES (?, 1, ?, ?, 'x', ?)"
                connection.execute(sql, (number, places[url], folder, f"bookmark{number:04}"))
    return connection


CHAIN_START, CHAIN_END, BACK, SERVER = 0x1000_0000, 0x2000_0000, 0x0100_0000, 0x8000_0000
CHROME_VISITS: list[Row] = [
    (1, 0, 0.0, 1 | CHAIN_START | CHAIN_END, "https://www.port.test/"),
    (2, 1, 1.0, CHAIN_START | CHAIN_END, "https://port.test/list"),
    (3, 2, 2.0, CHAIN_START, "https://go.test/?to=boat"),
    # Flags in the highest bit are stored as a negative number.
    (4, 3, 2.0, (SERVER | CHAIN_END) - (1 << 32), "https://boats.test/red"),
    (5, 4, 2.5, 3 | CHAIN_START | CHAIN_END, "https://boats.test/frame"),
    (6, 4, 3.0, BACK | CHAIN_START | CHAIN_END, "https://port.test/list"),
    (7, -2, 4.0, CHAIN_START | CHAIN_END, "https://boats.test/tab"),
    (8, 0, 200.0, 1 | CHAIN_START | CHAIN_END, "https://news.test/"),
]
"""The same in Chrome; a negative number before a visit is that of the one whose tab opened it."""


def make_chrome(path: Path, visits: Iterable[Row] = CHROME_VISITS) -> apsw.Connection:
    """Write a history of Chrome and bookmarks beside it, and return the connection that has it open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(CHROME)
    with connection:
        for id_, source, minutes, transition, url in visits:
            sql = "INSERT INTO urls (id, url, title, last_visit_time) VALUES (?, ?, ?, 0)"
            connection.execute(sql, (id_, url, url.rpartition("/")[2]))
            at = int((START + 60 * minutes + EPOCH) * 1_000_000)
            connection.execute(
                "INSERT INTO visits (id, url, visit_time, from_visit, opener_visit, transition)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (id_, id_, at, max(source, 0), max(-source, 0), transition),
            )
    boats = {"type": "folder", "name": "Boats", "children": [{"type": "url", "url": "https://boats.test/red"}]}
    roots = {"bookmark_bar": {"type": "folder", "name": "Bookmarks bar", "children": [boats]}}
    path.with_name("Bookmarks").write_text(json.dumps({"roots": roots, "version": 1}))
    return connection
