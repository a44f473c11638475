"""The block elements of a page, with the amount of text and linked text in each."""

from itertools import islice
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from thresher.documents.elements import SILENT, TEXT, UNSEEN, number, numbers
from thresher.documents.html import MAX_NODES

_INLINE: Final = numbers(
    ["a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img"]
).union(
    numbers(
        ["ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time"]
    ),
    numbers(["tt", "u", "var"]),
)
_A: Final = number("a")
_MAX_NAME: Final = 500


class Block(Struct, gc=False):
    """A block element; its number is its position in the list of blocks.

    `name` contains its classes, id and role; `own` counts the characters directly in it, `total` also those in nested
    blocks, each with the part in links; `last` is the number of the last nested block, or its own.
    """

    identity: int
    tag: str
    name: str
    parent: int
    children: list[int]
    own: int = 0
    own_linked: int = 0
    total: int = 0
    total_linked: int = 0
    last: int = 0


def blocks_of(tree: LexborHTMLParser) -> list[Block]:
    """Return the blocks of a page in page order, body first; white space at borders does not count.

    >>> tree = LexborHTMLParser("<p>See <a href=x>this</a>!")
    >>> [(block.tag, block.own, block.own_linked) for block in blocks_of(tree)]
    [('body', 0, 0), ('p', 8, 4)]
    """
    body = tree.body
    if body is None:
        return []
    blocks = [Block(body.mem_id, "body", "", 0, [])]
    # For each element: the number of its block, whether it is in a link, whether it is not shown.
    places = {body.mem_id: (0, False, False)}
    nodes = body.traverse(include_text=True, skip_empty=True)
    next(nodes)
    for node in islice(nodes, MAX_NODES):
        tag = node.tag_id
        if tag in SILENT:
            continue
        place = block, linked, unseen = places[node.parent.mem_id]  # type: ignore[union-attr]
        if tag == TEXT:
            if not unseen:
                length = len((node.text_content or "").strip())
                blocks[block].own += length
                blocks[block].own_linked += length * linked
        elif tag in UNSEEN:
            places[node.mem_id] = (block, linked, True)
        elif tag in _INLINE:
            places[node.mem_id] = (block, True, unseen) if tag == _A else place
        else:
            get = node.attributes.get
            name = " ".join(filter(None, (get("class"), get("id"), get("role"), get("itemprop"))))[:_MAX_NAME]
            blocks[block].children.append(len(blocks))
            places[node.mem_id] = (len(blocks), linked, unseen)
            blocks.append(Block(node.mem_id, str(node.tag), name, block, []))
    _add_up(blocks)
    return blocks


def _add_up(blocks: list[Block]) -> None:
    for place in range(len(blocks) - 1, -1, -1):
        block = blocks[place]
        block.total += block.own
        block.total_linked += block.own_linked
        block.last = max(block.last, place)
        if place:
            parent = blocks[block.parent]
            parent.total += block.total
            parent.total_linked += block.total_linked
            parent.last = max(parent.last, block.last)
