"""A small cache of parsed robots.txt files; their bytes are in the store."""

from collections import OrderedDict

from thresher.store.protocol import Store
from thresher.store.url_records import RobotsRow
from thresher.web.robots import RobotsRules, rules_for

DAY = 24 * 3600.0


class RobotsCache:
    """Decides whether a URL may be fetched; `agent` is our robots.txt token, `max_age` is in seconds.

    An origin whose file could not be fetched stays undecided: it is asked again after its host has rested, and nothing
    is fetched from it meanwhile.
    """

    def __init__(self, store: Store, agent: str, *, max_age: float = DAY, size: int = 4096) -> None:
        self._store = store
        self._agent = agent
        self._max_age = max_age
        self._size = size
        self._rules: OrderedDict[str, tuple[RobotsRules, float]] = OrderedDict()
        self._fresh: dict[str, RobotsRow] = {}
        self._named: list[str] = []

    def rules(self, origin: str, wall: float) -> RobotsRules | None:
        """Return the rules of an origin, or None if they must be fetched first."""
        known = self._rules.get(origin)
        if known is None:
            row = self._fresh.get(origin) or self._store.hosts.robots(origin)
            if row is None:
                return None
            known = self._keep(row)
        rules, expires = known
        # A file from far in the future was stored before the clock was set back: fetch it again.
        if not expires - 2 * self._max_age <= wall < expires:
            return None
        self._rules.move_to_end(origin)
        return rules

    def learn(self, origin: str, status: int | None, body: bytes | None, wall: float) -> RobotsRules | None:
        """Process the answer to a request for a robots.txt; return its rules, or None if it could not be fetched.

        `body` is the file, or None if there was none; then `status` says why.
        """
        if body is None:
            if status is None or not 400 <= status < 500 or status == 429:
                return None
            body = b""
        row = RobotsRow(origin=origin, at=wall, expires=wall + self._max_age, status=status or 200, body=body)
        self._fresh[origin] = row
        return self._keep(row)[0]

    def drain(self) -> list[RobotsRow]:
        """Return the rows learned since the last call."""
        rows, self._fresh = list(self._fresh.values()), {}
        return rows

    def sitemaps(self) -> tuple[str, ...]:
        """Return the sitemap URLs, as written, of the files read since the last call; a file may be read repeatedly."""
        if not self._named:
            return ()
        named, self._named = tuple(self._named), []
        return named

    def _keep(self, row: RobotsRow) -> tuple[RobotsRules, float]:
        rules = rules_for(row.status, row.body, self._agent)
        self._named += rules.sitemaps
        self._rules[row.origin] = known = (rules, row.expires)
        if len(self._rules) > self._size:
            self._rules.popitem(last=False)
        return known
