"""Hosts that many publishers share, recognised by how others link to them.

Other sites link to many different folders of such a host, and the folders do not link to each other, as sections of one
publisher would. Each of these folders is then named as a site.
"""

from collections import OrderedDict
from collections.abc import Collection
from typing import Any, Final

import xxhash

from thresher.web.site_names import PLATFORMS, SiteUnit, folders_of, site_of
from thresher.web.urls import host_of

ENOUGH: Final = 8
"""Number of folders that other sites must link to before a host counts as shared."""

OWN: Final = 1 / 3
"""Maximum share of these folders that pages of the host itself link to."""

WATCHED: Final = 4096
"""Maximum number of hosts watched."""

INSIDE: Final = 128
"""Maximum number of folders remembered to which a host itself links, in case other sites link to them."""


class PlatformWatch:
    """Watches links to detect shared hosts; `shared` are those found so far.

    >>> watch = PlatformWatch()
    >>> for number in range(8):
    ...     watch.linked(f"http://pages.test/p{number}/", "boats.test")
    >>> sorted(watch.shared)
    ['pages.test']
    """

    def __init__(self) -> None:
        self.shared: set[str] = set()
        self._outside: OrderedDict[str, set[int]] = OrderedDict()
        self._inside: OrderedDict[str, set[int]] = OrderedDict()

    def linked(self, url: str, host: str) -> None:
        """Record a link to a URL on a page of a host."""
        target = host_of(url)
        if target in self.shared:
            return
        folders = folders_of(url)
        if len(folders) != 1 or folders[0].startswith("~"):
            return
        number = xxhash.xxh32_intdigest(folders[0].encode())
        if target == host:
            self._linked_inside(host, number)
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

    def state(self) -> dict[str, Any]:
        """Return the shared hosts, and what is known about the others."""
        return {
            "shared": sorted(self.shared),
            "outside": {host: list(folders) for host, folders in self._outside.items()},
            "inside": {host: list(folders) for host, folders in self._inside.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a saved state."""
        self.shared = {str(host) for host in state["shared"]}
        self._outside = OrderedDict((host, set(folders)) for host, folders in state["outside"].items())
        self._inside = OrderedDict((host, set(folders)) for host, folders in state["inside"].items())

    def _linked_inside(self, host: str, folder: int) -> None:
        own = self._inside.setdefault(host, set())
        self._inside.move_to_end(host)
        if len(own) < INSIDE or folder in self._outside.get(host, ()):
            own.add(folder)
        if len(self._inside) > WATCHED:
            self._inside.popitem(last=False)

    def _forget(self, host: str) -> None:
        self._outside.pop(host, None)
        self._inside.pop(host, None)


class SiteNames:
    """Names the site of a URL; with the unit `auto`, folders of hosts that turn out to be shared are sites too.

    `unit` is what counts as a site; `platforms` are hosts known to be shared.
    """

    def __init__(self, unit: SiteUnit = "auto", platforms: Collection[str] = PLATFORMS) -> None:
        self.unit = unit
        self.platforms = platforms
        self._watch = PlatformWatch()

    def of(self, url: str) -> str:
        """Return the name of the site that a URL belongs to, as far as is known."""
        host = host_of(url)
        if self.unit == "auto" and host in self._watch.shared:
            return site_of(url, "auto", (host,))
        return site_of(url, self.unit, self.platforms)

    def linked(self, url: str, host: str) -> None:
        """Record a link to a URL on a page of a host."""
        if self.unit == "auto":
            self._watch.linked(url, host)

    def recall(self, home: str, name: str) -> None:
        """Take over from a stored site whether its host had been recognised as shared."""
        if self.unit == "auto" and site_of(home, "auto", self.platforms) != name:
            self._watch.shared.add(host_of(home))

    def state(self) -> dict[str, Any]:
        """Return what is known about hosts."""
        return self._watch.state()

    def restore(self, state: dict[str, Any] | list[str]) -> None:
        """Restore a saved state; states of earlier versions only list the shared hosts."""
        self._watch.restore({"shared": state, "outside": {}, "inside": {}} if isinstance(state, list) else state)
