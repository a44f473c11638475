"""Writes topics as a bookmark file that browsers can import and `from_bookmarks` reads back without loss."""

from html import escape
from itertools import count
from typing import Final

from thresher.taxonomy.marks import ATTRIBUTE, page_mark, topic_mark, write_mark
from thresher.taxonomy.shelves import PageMark, TopicMark
from thresher.taxonomy.topic_tree import OTHERS, Taxonomy, Topic, TrainingPage

_HEAD: Final = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
"""


def to_bookmarks(taxonomy: Taxonomy) -> str:
    """Return the topics in the Netscape format; negative examples are in a folder OTHERS.

    >>> from thresher.taxonomy.topic_tree import put
    >>> boats = Topic(name="Boats", pages=(TrainingPage("http://a.test/", "A & B"),), languages=("en",))
    >>> print(to_bookmarks(put(Taxonomy(), ("Boats",), boats)).split("<DL><p>", 1)[1].strip())
    <DT><H3 DATA-THRESHER="{&quot;languages&quot;:[&quot;en&quot;]}">Boats</H3>
        <DL><p>
            <DT><A HREF="http://a.test/">A &amp; B</A>
        </DL><p>
    </DL><p>
    """
    lines = ["<DL><p>"]
    _inside(taxonomy.root, lines, "    ")
    lines += [_entry(page, "    ", seed=True) for page in taxonomy.seeds]
    lines.append("</DL><p>")
    return _HEAD + "\n".join(lines) + "\n"


def _inside(topic: Topic, lines: list[str], indent: str) -> None:
    lines += [_entry(page, indent) for page in topic.pages]
    for child in topic.children:
        _folder(child, topic_mark(child), lines, indent)
        _inside(child, lines, indent + "    ")
        lines.append(f"{indent}</DL><p>")
    if topic.others:
        _folder(Topic(name=_name_of_others(topic)), TopicMark(others=True), lines, indent)
        lines += [_entry(page, indent + "    ") for page in topic.others]
        lines.append(f"{indent}</DL><p>")


def _name_of_others(topic: Topic) -> str:
    """Return a name for the folder of negative examples that no subtopic has."""
    names = (OTHERS.upper() if number == 1 else f"{OTHERS.upper()} {number}" for number in count(1))
    return next(name for name in names if topic.child(name) is None)


def _folder(topic: Topic, mark: TopicMark, lines: list[str], indent: str) -> None:
    date = f' ADD_DATE="{topic.added}"' if topic.added is not None else ""
    lines.append(f"{indent}<DT><H3{date}{_attribute(mark)}>{escape(topic.name)}</H3>")
    if topic.note:
        lines.append(f"{indent}<DD>{_note(topic.note)}")
    lines.append(f"{indent}<DL><p>")


def _entry(page: TrainingPage, indent: str, seed: bool = False) -> str:
    attributes = f' HREF="{escape(page.url)}"'
    if page.added is not None:
        attributes += f' ADD_DATE="{page.added}"'
    if page.tags:
        attributes += f' TAGS="{escape(",".join(page.tags))}"'
    mark = page_mark(page, seed)
    if mark is not None:
        attributes += _attribute(mark)
    entry = f"{indent}<DT><A{attributes}>{escape(page.title)}</A>"
    return f"{entry}\n{indent}<DD>{_note(page.note)}" if page.note else entry


def _attribute(mark: TopicMark | PageMark) -> str:
    return f' {ATTRIBUTE}="{escape(write_mark(mark))}"'


def _note(note: str) -> str:
    return "<br>".join(escape(line) for line in note.splitlines())
