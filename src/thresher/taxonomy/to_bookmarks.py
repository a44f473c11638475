"""Topics as a bookmark file that every browser imports."""

from html import escape
from typing import Final

from thresher.taxonomy.topic_tree import Taxonomy, Topic, TrainingPage

_HEAD: Final = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
"""


def to_bookmarks(taxonomy: Taxonomy) -> str:
    """Return the topics in the Netscape format; negative examples stand in a folder OTHERS.

    >>> from thresher.taxonomy.topic_tree import put
    >>> boats = Topic(name="Boats", pages=(TrainingPage("http://a.test/", "A & B"),))
    >>> print(to_bookmarks(put(Taxonomy(), ("Boats",), boats)).split("<DL><p>", 1)[1].strip())
    <DT><H3>Boats</H3>
        <DL><p>
            <DT><A HREF="http://a.test/">A &amp; B</A>
        </DL><p>
    </DL><p>
    """
    lines = ["<DL><p>"]
    _inside(taxonomy.root, lines, "    ")
    lines += [_entry(page, "    ") for page in taxonomy.seeds]
    lines.append("</DL><p>")
    return _HEAD + "\n".join(lines) + "\n"


def _inside(topic: Topic, lines: list[str], indent: str) -> None:
    lines += [_entry(page, indent) for page in topic.pages]
    for child in topic.children:
        _folder(child.name, child.note, lines, indent)
        _inside(child, lines, indent + "    ")
        lines.append(f"{indent}</DL><p>")
    if topic.others:
        _folder("OTHERS", "", lines, indent)
        lines += [_entry(page, indent + "    ") for page in topic.others]
        lines.append(f"{indent}</DL><p>")


def _folder(name: str, note: str, lines: list[str], indent: str) -> None:
    lines.append(f"{indent}<DT><H3>{escape(name)}</H3>")
    if note:
        lines.append(f"{indent}<DD>{_note(note)}")
    lines.append(f"{indent}<DL><p>")


def _entry(page: TrainingPage, indent: str) -> str:
    attributes = f'HREF="{escape(page.url)}"'
    if page.added is not None:
        attributes += f' ADD_DATE="{page.added}"'
    if page.tags:
        attributes += f' TAGS="{escape(",".join(page.tags))}"'
    entry = f"{indent}<DT><A {attributes}>{escape(page.title)}</A>"
    return f"{entry}\n{indent}<DD>{_note(page.note)}" if page.note else entry


def _note(note: str) -> str:
    return "<br>".join(escape(line) for line in note.splitlines())
