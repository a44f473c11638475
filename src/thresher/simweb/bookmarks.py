"""A browser's bookmark file with a few pages of each topic of a generated web."""

from html import escape

from thresher.simweb.web import Web


def bookmark_file(web: Web, number: int) -> str:
    """Return a bookmark file with a folder per topic and `number` pages in the folder of each leaf topic.

    >>> from thresher.simweb.parameters import WebParameters
    >>> web = Web(WebParameters(pages=2000, hosts=40, seed=1, profile="clean"))
    >>> leaves = len(web.tree.leaves())
    >>> bookmark_file(web, 2).count("<A HREF=") == 2 * leaves
    True
    """
    lines = ["<!DOCTYPE NETSCAPE-Bookmark-file-1>", "<DL><p>"]
    for topic in web.tree.children(-1):
        lines += _folder(web, topic, number)
    return "\n".join([*lines, "</DL><p>", ""])


def _folder(web: Web, topic: int, number: int) -> list[str]:
    """Return the lines of a topic's folder, with the folders of its sub-topics."""
    lines = [f"<DT><H3>{escape(web.tree.names[topic])}</H3>", "<DL><p>"]
    for child in web.tree.children(topic):
        lines += _folder(web, child, number)
    if topic in web.tree.leaves():
        urls = web.examples(web.tree.paths[topic], number, exact=True)
        lines += [f'<DT><A HREF="{escape(url)}">{escape(url)}</A>' for url in urls]
    return [*lines, "</DL><p>"]
