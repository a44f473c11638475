"""An overlay of many simulated peers, some of which leave and are replaced while it runs."""

from random import Random

from msgspec import Struct

from thresher.peers.overlay import Neighbour, Neighbours, list_size


class OverlayFigures(Struct, frozen=True):
    """The state of an overlay after its last round.

    `connected` says whether every living peer can be reached from every other through the neighbour lists, taken as
    links in both directions; `strongly` the same along their direction. `known_dead` is the share of entries for peers
    that have left. `entries_sent` is the mean number of entries exchanged per peer and round.
    """

    peers: int
    rounds: int
    churn: float
    connected: bool
    strongly: bool
    largest_list: int
    mean_list: float
    known_dead: float
    entries_sent: float


class _Peer:
    def __init__(self, name: str, size: int, life: float) -> None:
        self.name = name
        self.list = Neighbours(name, size=size, life=life)

    def card(self, now: float) -> Neighbour:
        return Neighbour(self.name, f"http://{self.name}.test/", now)


def simulate(
    *,
    peers: int,
    rounds: int,
    churn: float,
    seed: int = 0,
    size: int | None = None,
    life: float = 12.0,
    quiet: int = 13,
) -> OverlayFigures:
    """Simulate peers that exchange lists, one exchange each per round.

    Over the rounds a share `churn` of the peers leaves silently, a few per round, and as many join with one living
    address. In the last `quiet` rounds nobody leaves, so stale entries expire.
    """
    rng = Random(seed)
    room = size if size is not None else list_size(peers)
    living = {f"p{number}": _Peer(f"p{number}", room, life) for number in range(peers)}
    first = next(iter(living.values()))
    for peer in living.values():
        if peer is not first:
            _join(peer, first, 0.0, rng)
    made, sent, leaving = peers, 0, 0.0
    for time in range(1, rounds + quiet + 1):
        if time <= rounds:
            leaving += churn * peers / rounds
            while leaving >= 1.0:
                leaving -= 1.0
                del living[rng.choice(list(living))]
                fresh = _Peer(f"p{made}", room, life)
                _join(fresh, rng.choice(list(living.values())), float(time), rng)
                living[fresh.name] = fresh
                made += 1
        for peer in list(living.values()):
            sent += _exchange(peer, living, float(time), rng)
    return _figures(living, peers, rounds, churn, sent / (len(living) * (rounds + quiet)))


def _join(peer: _Peer, by: _Peer, now: float, rng: Random) -> None:
    """Let a new peer exchange lists with the one whose address it has."""
    theirs = [*by.list.entries(), by.card(now)]
    by.list.merge([peer.card(now)], now, rng)
    peer.list.merge(theirs, now, rng)


def _exchange(peer: _Peer, living: dict[str, _Peer], now: float, rng: Random) -> int:
    """Let a peer exchange lists with a random neighbour, and return the number of entries sent both ways."""
    peer.list.expire(now)
    chosen = peer.list.pick(rng)
    if chosen is None:
        return 0
    other = living.get(chosen.key)
    if other is None:
        return 0
    mine, theirs = [*peer.list.entries(), peer.card(now)], [*other.list.entries(), other.card(now)]
    other.list.merge(mine, now, rng)
    peer.list.merge(theirs, now, rng)
    return len(mine) + len(theirs)


def _figures(living: dict[str, _Peer], peers: int, rounds: int, churn: float, sent: float) -> OverlayFigures:
    lists = {name: [one.key for one in peer.list.entries()] for name, peer in living.items()}
    named = [key for keys in lists.values() for key in keys]
    forth = {name: {key for key in keys if key in living} for name, keys in lists.items()}
    back: dict[str, set[str]] = {name: set() for name in living}
    for name, keys in forth.items():
        for key in keys:
            back[key].add(name)
    both = {name: forth[name] | back[name] for name in living}
    return OverlayFigures(
        peers=peers,
        rounds=rounds,
        churn=churn,
        connected=_reaches_all(both),
        strongly=_reaches_all(forth) and _reaches_all(back),
        largest_list=max(map(len, lists.values())),
        mean_list=round(len(named) / len(lists), 2),
        known_dead=round(sum(key not in living for key in named) / max(1, len(named)), 4),
        entries_sent=round(sent, 1),
    )


def _reaches_all(links: dict[str, set[str]]) -> bool:
    start = next(iter(links))
    seen, waiting = {start}, [start]
    while waiting:
        for following in links[waiting.pop()] - seen:
            seen.add(following)
            waiting.append(following)
    return len(seen) == len(links)
