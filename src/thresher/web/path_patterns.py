"""Path patterns of robots.txt files: `*` matches any characters, a final `$` the end of the path."""

from collections.abc import Iterable


class PathPatterns:
    """A set of path patterns that returns the length of the longest one matching a path.

    Patterns are given as (pattern, length), because the length that counts may be that of the pattern as written.

    >>> PathPatterns([("/a", 2), ("/a/*.html$", 10)]).longest("/a/b.html")
    10
    """

    def __init__(self, patterns: Iterable[tuple[str, int]]) -> None:
        self._plain: dict[str, int] = {}
        self._wild: list[tuple[int, list[str], bool]] = []
        for pattern, length in patterns:
            body = pattern.rstrip("*")
            if "*" in body or body.endswith("$"):
                closed = pattern.endswith("$")
                self._wild.append((length, pattern.removesuffix("$").split("*"), closed))
            else:
                self._plain[body] = max(length, self._plain.get(body, 0))
        self._sizes = sorted({len(plain) for plain in self._plain})
        self._wild.sort(key=lambda rule: -rule[0])

    def longest(self, path: str) -> int:
        """Return the length of the longest pattern that matches, 0 if none does."""
        plain = self._plain
        best = 0
        for size in self._sizes:
            if size > len(path):
                break
            best = max(best, plain.get(path[:size], 0))
        for length, parts, closed in self._wild:
            if length <= best:
                break
            if _matches(path, parts, closed):
                return length
        return best


def _matches(path: str, parts: list[str], closed: bool) -> bool:
    """Match a path against the parts between the stars of a pattern, in linear time: leftmost matches are enough."""
    first, *rest = parts
    if not path.startswith(first):
        return False
    at = len(first)
    if closed:
        if not rest:
            return at == len(path)
        last = rest.pop()
        end = len(path) - len(last)
        if not path.endswith(last):
            return False
    else:
        end = len(path)
    for part in rest:
        found = path.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end
