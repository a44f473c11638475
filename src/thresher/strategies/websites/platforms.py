"""Hosts that many publishers share, recognised by how others link to them.

Other sites link to many different folders of such a host as if each were a site of its own, and the folders do not link
to one another, as the sections of one publisher would.
"""

from collections import OrderedDict
from typing import Any, Final

import xxhash

from thresher.web.site_names import folders_of
from thresher.web.urls import host_of

ENOUGH: Final = 8
"""Folders of a host that other sites link to before it can be shared."""

OWN: Final = 1 / 3
"""Share of these folders that pages of the host may link to themselves."""

WATCHED: Final = 4096
"""Hosts that are watched at a time."""


class PlatformWatch:
    """Watches links and tells which hosts are shared; `shared` are those found so far.

    >>> watch = PlatformWatch()
    >>> for number in range(8):
    ...     watch.linked(f"http://pages.test/p{number}/", "boats.test")
    >>> sorted(watch.shared)
    ['pages.test']
    """

    def __init__(self) -> None:
        self.shared: set[str] = set()
        self._outside: OrderedDict[str, set[int]] = OrderedDict()
        self._inside: dict[str, set[int]] = {}

    def linked(self, url: str, host: str) -> None:
        """Record a link to a URL on a page of a host."""
        target = host_of(url)
        if target in self.shared:
            return
        folders = folders_of(url)
        if len(folders) != 1 or folders[0].startswith("~"):
            return
        number = xxhash.xxh3_64_intdigest(folders[0].encode())
        if target == host:
            if target in self._outside:
                self._inside.setdefault(target, set()).add(number)
            return
        found = self._outside.setdefault(target, set())
        self._outside.move_to_end(target)
        if len(found) < 4 * ENOUGH:
            found.add(number)
        if len(found) >= ENOUGH and len(found & self._inside.get(target, set())) <= OWN * len(found):
            self.shared.add(target)
            self._forget(target)
        elif len(self._outside) > WATCHED:
            self._forget(next(iter(self._outside)))

    def state(self) -> list[str]:
        """Return the shared hosts; what was only suspected is watched again."""
        return sorted(self.shared)

    def restore(self, state: list[Any]) -> None:
        """Go on from a state."""
        self.shared = {str(host) for host in state}

    def _forget(self, host: str) -> None:
        self._outside.pop(host, None)
        self._inside.pop(host, None)
