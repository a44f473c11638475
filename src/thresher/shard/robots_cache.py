"""What each origin allows: parsed robots files in a small cache, their bytes in the store."""

from collections import OrderedDict

from thresher.store.protocol import Store
from thresher.store.url_records import RobotsRow
from thresher.types import Answer, Failed, Fetched
from thresher.web.robots import RobotsRules, rules_for

DAY = 24 * 3600.0


class RobotsCache:
    """Decides whether a URL may be fetched; `agent` is our token in robots files, `max_age` is in seconds.

    An origin whose file could not be had stays undecided: it is asked again after its host has rested, and nothing of
    it is fetched meanwhile.
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
        """Return the rules of an origin, or None where they must be asked for first."""
        known = self._rules.get(origin)
        if known is None:
            row = self._fresh.get(origin) or self._store.hosts.robots(origin)
            if row is None:
                return None
            known = self._keep(row)
        rules, expires = known
        # A file from far in the future was stored before the clock was set back: ask again.
        if not expires - 2 * self._max_age <= wall < expires:
            return None
        self._rules.move_to_end(origin)
        return rules

    def learn(self, origin: str, answer: Answer, wall: float) -> RobotsRules | None:
        """Take the answer to a request for a robots file; return its rules, or None where it could not be had."""
        if isinstance(answer, Fetched):
            status, body = answer.status, answer.body
        elif isinstance(answer, Failed) and answer.status is not None and 400 <= answer.status < 500:
            status, body = answer.status, b""
        else:
            return None
        if status == 429:
            return None
        row = RobotsRow(origin=origin, at=wall, expires=wall + self._max_age, status=status, body=body)
        self._fresh[origin] = row
        return self._keep(row)[0]

    def drain(self) -> list[RobotsRow]:
        """Return the rows learnt since the last call."""
        rows, self._fresh = list(self._fresh.values()), {}
        return rows

    def sitemaps(self) -> list[str]:
        """Return the sitemaps, as written, of the files read since the last call; a file may be read more than once."""
        named, self._named = self._named, []
        return named

    def _keep(self, row: RobotsRow) -> tuple[RobotsRules, float]:
        rules = rules_for(row.status, row.body, self._agent)
        self._named += rules.sitemaps
        self._rules[row.origin] = known = (rules, row.expires)
        if len(self._rules) > self._size:
            self._rules.popitem(last=False)
        return known
