"""A simple model of the HTML parser's stack of open elements, just exact enough to estimate its depth."""

from typing import Final

FORMATTING: Final = frozenset(["b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u"])
"""Elements that the parser reopens after a block has closed them."""

RAW: Final = frozenset(["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"])
"""Elements whose content has no tags."""

_HEADINGS: Final = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_RUBY: Final = frozenset(["rb", "rt", "rp", "rtc"])
_CELLS: Final = frozenset(["caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"])
_SCOPES: Final = frozenset(["applet", "marquee", "math", "object", "svg", "table", "template"])
# Elements without content, or that cannot be nested in their own kind within one scope.
_FLAT: Final = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"]).union(
    ["source", "track", "wbr"], ["body", "form", "frame", "head", "html", "select"]
)
# Elements that end an open one of their kind, whatever is in between.
_SINGLE: Final = frozenset(["a", "button", "nobr"])
_BLOCKS: Final = _HEADINGS.union(
    ["address", "article", "aside", "blockquote", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt"],
    ["fieldset", "figcaption", "figure", "footer", "header", "hgroup", "li", "listing", "main", "menu", "nav", "ol"],
    ["p", "pre", "search", "section", "summary", "ul"],
)
_ITEMS: Final = {"li": ("li",), "dd": ("dd", "dt"), "dt": ("dd", "dt")}
# An item looks for an open item of its kind through these blocks and no others.
_SEEN_THROUGH: Final = frozenset(["address", "div", "p"])
_GONE: Final = "-"


class _Scope:
    """The open elements between one scoping element and the next, with the positions of each name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names: list[str] = []
        self.places: dict[str, list[int]] = {}
        self.blocks: list[int] = []
        self.barriers: list[int] = []
        self.active: dict[str, list[str]] = {}
        self.formatting = 0
        self.depth = 0

    def push(self, name: str) -> None:
        place = len(self.names)
        self.depth += 1
        self.names.append(name)
        self.places.setdefault(name, []).append(place)
        if name in _BLOCKS:
            self.blocks.append(place)
            if name not in _SEEN_THROUGH:
                self.barriers.append(place)

    def cut(self, place: int) -> None:
        """Close the element at a position and everything inside it."""
        while len(self.names) > place:
            name = self.names.pop()
            if name != _GONE:
                self.depth -= 1
                self.places[name].pop()
        for places in (self.blocks, self.barriers):
            while places and places[-1] >= place:
                places.pop()

    def drop(self, name: str) -> None:
        """Close the last element of a name, but keep what is inside it open."""
        self.names[self.places[name].pop()] = _GONE
        self.depth -= 1

    def last(self, name: str) -> int:
        places = self.places.get(name)
        return places[-1] if places else -1

    def format(self, name: str, attributes: str) -> None:
        """Record an open formatting element; the standard keeps three equal ones."""
        active = self.active.setdefault(name, [])
        if active[-3:].count(attributes) < 3:
            active.append(attributes)
            self.formatting += 1

    def unformat(self, name: str) -> None:
        if self.active.get(name):
            self.active[name].pop()
            self.formatting -= 1

    def clear(self) -> None:
        """Close everything, as a new table cell does."""
        self.cut(0)
        self.active.clear()
        self.formatting = 0


class OpenElements:
    """The open elements of a page, as far as they affect its cost."""

    def __init__(self) -> None:
        self._scope = _Scope("")
        self._scopes = [self._scope]
        self._below = 0

    @property
    def depth(self) -> int:
        """The number of open elements."""
        return self._below + self._scope.depth

    @property
    def formatting(self) -> int:
        """The number of formatting elements that a new block would reopen."""
        return self._scope.formatting

    @property
    def foreign(self) -> bool:
        """Whether the current position is inside graphics or formulas, which have no raw elements."""
        return self._scope.name in ("svg", "math")

    def open(self, name: str, attributes: str) -> None:
        """Process a start tag."""
        if name in _FLAT or name in RAW:
            return
        if name in _CELLS:
            if self._scope.name == "table":
                self._scope.clear()
            return
        block = name in _BLOCKS
        while block and self.foreign:
            self._leave(len(self._scopes) - 1)
        scope = self._scope
        if block or name == "table":
            paragraph = scope.last("p")
            if paragraph >= 0:
                scope.cut(paragraph)
        if name in _SINGLE:
            self.close(name)
        elif scope.names:
            self._end_siblings(scope, name)
        if name in _SCOPES:
            self._below += scope.depth + 1
            self._scope = _Scope(name)
            self._scopes.append(self._scope)
            return
        scope.push(name)
        if name in FORMATTING:
            scope.format(name, attributes)

    def _end_siblings(self, scope: _Scope, name: str) -> None:
        """Close elements in which an element of this name cannot be nested."""
        if name in _ITEMS:
            item = max(scope.last(kind) for kind in _ITEMS[name])
            if item >= 0 and item == scope.barriers[-1]:
                scope.cut(item)
            return
        top = scope.names[-1]
        if (
            (name in _HEADINGS and top in _HEADINGS)
            or (name in ("option", "optgroup") and top == "option")
            or (name in _RUBY and top in _RUBY and scope.last("ruby") >= 0)
        ):
            scope.cut(len(scope.names) - 1)

    def close(self, name: str) -> None:
        """Process an end tag; it closes nothing outside its scope, and a non-block nothing outside a block."""
        scope = self._scope
        if name in _SCOPES:
            level = next((i for i in range(len(self._scopes) - 1, 0, -1) if self._scopes[i].name == name), 0)
            if level:
                self._leave(level)
        elif name in _CELLS:
            if scope.name == "table":
                scope.clear()
        else:
            place = scope.last(name)
            inside_of_block = place > (scope.blocks[-1] if scope.blocks else -1)
            if name in FORMATTING:
                scope.unformat(name)
            if place < 0:
                return
            if name in _BLOCKS or inside_of_block:
                scope.cut(place)
            elif name in FORMATTING or name in _SINGLE:
                scope.drop(name)

    def _leave(self, level: int) -> None:
        while len(self._scopes) > level:
            self._scopes.pop()
            self._scope = self._scopes[-1]
            self._below -= self._scope.depth + 1
