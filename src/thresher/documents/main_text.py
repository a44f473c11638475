"""Finds the main text of a page by marking boilerplate elements.

It uses rules about blocks, not a learned model: text outside links in blocks of some length is good text; the main
element is the innermost one that contains most of it. Boilerplate is everything outside it, and inside it whatever is
named, marked up or built like navigation, notices, comments or link lists. Lengths of blocks and shares of links are
the features of Kohlschütter, Fankhauser & Nejdl, "Boilerplate detection using shallow text features" (2010), section 3.
"""

from typing import Final

from selectolax.lexbor import LexborHTMLParser

from thresher.documents.block_names import is_named_boilerplate, is_named_main
from thresher.documents.blocks import Block, blocks_of

_GOOD_CHARS: Final = 40
"""Minimum number of characters outside links for the text of a block to be good."""

_LINKED: Final = 0.4
"""Maximum share of characters in links for the text of a block to be good."""

_MERELY_LINKS: Final = 0.6
"""Minimum share of characters in links for an element without good text to be boilerplate, even in the main element."""

_ENOUGH: Final = 200
"""Minimum number of characters of good text for a page to have a main element."""

_MOST: Final = 0.9
_MOST_IF_NAMED: Final = 0.7
_HALF: Final = 0.5

_OUTSIDE: Final = frozenset(["aside", "dialog", "footer", "form", "menu", "nav"])
_MAIN: Final = frozenset(["article", "main"])
_CONTAINERS: Final = _MAIN.union(["center", "div", "form", "section", "table", "tbody", "td", "tr"])


def boilerplate(tree: LexborHTMLParser) -> set[int]:
    """Return the ids of elements that do not belong to the main text of a page.

    >>> story = "<p>A long story about boats and the people who build them, told to the very end of it. " * 5
    >>> tree = LexborHTMLParser(f"<body><ul><li><a href=x>Home</a></ul><div>{story}</div><footer>Imprint</footer>")
    >>> sorted(node.tag for node in tree.css("*") if node.mem_id in boilerplate(tree))
    ['footer', 'ul']
    """
    blocks = blocks_of(tree)
    if not blocks:
        return set()
    unwanted = _named(blocks, _good_text(blocks, set()))
    good = _good_text(blocks, unwanted)
    if good[0] >= _ENOUGH:
        main = _main_element(blocks, good)
        unwanted |= _around(blocks, good, main)
        unwanted |= {
            inner for inner in range(main + 1, blocks[main].last + 1) if _is_linked(blocks[inner], good[inner])
        }
    return {blocks[number].identity for number in unwanted}


def _good_text(blocks: list[Block], left_out: set[int]) -> list[int]:
    """Return the number of characters of good text in each element, with some elements left out."""
    good = [0] * len(blocks)
    end = -1
    for number, block in enumerate(blocks):
        if number in left_out:
            end = max(end, block.last)
        plain = block.own - block.own_linked
        if number > end and plain >= _GOOD_CHARS and block.own_linked <= _LINKED * block.own:
            good[number] = plain
    for number in range(len(blocks) - 1, 0, -1):
        good[blocks[number].parent] += good[number]
    return good


def _named(blocks: list[Block], good: list[int]) -> set[int]:
    """Return elements that are not main text by their kind or name, unless they have at least half of it."""
    return {
        number
        for number, block in enumerate(blocks)
        if number
        and (not good[number] or good[number] < _HALF * good[0])
        and (block.tag in _OUTSIDE or is_named_boilerplate(block.name) or _is_page_header(blocks, number))
    }


def _is_page_header(blocks: list[Block], number: int) -> bool:
    """Return whether an element is the header of the page, not of an article."""
    if blocks[number].tag != "header":
        return False
    while number:
        if _is_main(blocks[number]):
            return False
        number = blocks[number].parent
    return True


def _is_main(block: Block) -> bool:
    return block.tag in _MAIN or is_named_main(block.name)


def _main_element(blocks: list[Block], good: list[int]) -> int:
    """Return the innermost element with most of the good text."""
    main = 0
    while True:
        best = max(blocks[main].children, key=good.__getitem__, default=None)
        if best is None or blocks[best].tag not in _CONTAINERS:
            return main
        if good[best] < (_MOST_IF_NAMED if _is_main(blocks[best]) else _MOST) * good[main]:
            return main
        main = best


def _around(blocks: list[Block], good: list[int], main: int) -> set[int]:
    """Return the elements beside the path from the body to the main element.

    Elements with good text shortly before the main element, such as introductions, are not included.
    """
    near = {blocks[main].parent, blocks[blocks[main].parent].parent}
    found: set[int] = set()
    number = main
    while number:
        parent = blocks[number].parent
        for sibling in blocks[parent].children:
            leads = sibling < number and parent in near and good[sibling]
            if sibling != number and not leads:
                found.add(sibling)
        number = parent
    return found


def _is_linked(block: Block, good: int) -> bool:
    """Return whether an element has little but links."""
    return not good and block.total_linked > _MERELY_LINKS * block.total
