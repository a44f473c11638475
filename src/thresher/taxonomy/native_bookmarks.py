"""The native bookmark files of browsers: JSON of Chrome, Edge and Firefox, property lists of Safari.

Firefox compresses its backups (`mozilla_lz4`).
"""

import json
import plistlib
from typing import Any, Final

from thresher.taxonomy.bookmark_dates import moment
from thresher.taxonomy.mozilla_lz4 import MARK, unpack
from thresher.taxonomy.shelves import MAX_DEPTH, Bookmark, BookmarkFile, Folder, tags_of, tidy

_EPOCH_1601: Final = 11_644_473_600
"""Seconds from 1601, the epoch of Chrome's timestamps, to 1970."""

_FIREFOX_FOLDERS: Final = frozenset(["menu________", "toolbar_____", "unfiled_____", "mobile______", "root________"])


def read_native(data: bytes) -> BookmarkFile | None:
    """Read a browser's own file; None if it is not one. A damaged Firefox backup has no bookmarks.

    >>> chrome = b'{"roots": {"bookmark_bar": {"name": "Bar", "children": [{"type": "url", "url": "http://a.test/"}]}}}'
    >>> read_native(chrome).bookmarks[0].folders
    ('Bar',)
    """
    if data.startswith(MARK):
        return _unpacked(data) or BookmarkFile([], [])
    try:
        start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:16]
        if start.startswith(b"{"):
            return _json(json.loads(data))
        if start.startswith((b"bplist00", b"<?xml")) and b"WebBookmarkType" in data:
            return _property_list(data)
    except (ValueError, RecursionError):
        return None
    return None


def _unpacked(data: bytes) -> BookmarkFile | None:
    try:
        return _json(json.loads(unpack(data)))
    except (ValueError, RecursionError):
        return None


def _property_list(data: bytes) -> BookmarkFile | None:
    try:
        tree = plistlib.loads(data)
    except Exception:
        return None
    shelf = BookmarkFile([], [])
    _safari(tree, (), shelf, set())
    return shelf


def _json(root: Any) -> BookmarkFile | None:
    shelf = BookmarkFile([], [])
    if not isinstance(root, dict):
        return None
    if isinstance(root.get("roots"), dict):
        for top in root["roots"].values():
            _chrome(top, (), shelf, made=True)
        return shelf
    if "children" in root and ("guid" in root or "typeCode" in root):
        _firefox(root, (), shelf)
        return shelf
    return None


def _children(node: dict[str, Any], key: str) -> list[dict[str, Any]]:
    children = node.get(key)
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _text(node: dict[str, Any], key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""


def _chrome(node: Any, path: tuple[str, ...], shelf: BookmarkFile, made: bool = False) -> None:
    if not isinstance(node, dict):
        return
    name = tidy(_text(node, "name"))
    written = _text(node, "date_added")
    added = int(written) // 1_000_000 - _EPOCH_1601 if written.isdecimal() and len(written) < 20 else 0
    if _text(node, "type") == "url":
        shelf.bookmarks.append(Bookmark(_text(node, "url").strip(), name, path, moment(added)))
        return
    inner = (*path, name)
    shelf.shelve(Folder(name, inner, made, added=moment(added)))
    for child in _children(node, "children"):
        _chrome(child, inner[:MAX_DEPTH], shelf)


def _firefox(node: dict[str, Any], path: tuple[str, ...], shelf: BookmarkFile) -> None:
    title = tidy(_text(node, "title"))
    added = node.get("dateAdded")
    when = moment(added) if isinstance(added, int) else None
    if _text(node, "uri"):
        tags = tags_of(_text(node, "tags"))
        shelf.bookmarks.append(Bookmark(_text(node, "uri").strip(), title, path, when, "", tags))
        return
    inner = path
    if _text(node, "guid") != "root________" and not _text(node, "type").endswith("separator"):
        inner = (*path, title)
        shelf.shelve(Folder(title, inner, _text(node, "guid") in _FIREFOX_FOLDERS, added=when))
    for child in _children(node, "children"):
        _firefox(child, inner[:MAX_DEPTH], shelf)


def _safari(node: Any, path: tuple[str, ...], shelf: BookmarkFile, seen: set[int]) -> None:
    # In a hand-made list, a folder may contain itself, or the same child a thousand times.
    if not isinstance(node, dict) or id(node) in seen:
        return
    seen.add(id(node))
    if _text(node, "WebBookmarkType") == "WebBookmarkTypeLeaf":
        named = node.get("URIDictionary")
        title = _text(named, "title") if isinstance(named, dict) else ""
        shelf.bookmarks.append(Bookmark(_text(node, "URLString").strip(), tidy(title), path))
        return
    name = tidy(_text(node, "Title"))
    inner = (*path, name) if path or name else path
    if name:
        made = name in ("BookmarksBar", "BookmarksMenu", "com.apple.ReadingList")
        shelf.shelve(Folder(name, inner, made))
    for child in _children(node, "Children"):
        _safari(child, inner[:MAX_DEPTH], shelf, seen)
