"""The responder: answers or refuses the messages of peers, one at a time.

Checks go from cheap to expensive, and nothing is trusted before the signature is verified. An unknown peer can only ask
for permission. A refused message leaves one line in the log and, if it was valid, its nonce.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from thresher.peers.cards import LONGEST_ADDRESS, card_of, is_address, name_in, read_cards, written_cards
from thresher.peers.keys import PeerKey
from thresher.peers.matching import best_topic
from thresher.peers.messages import ANSWER, KINDS, WINDOW, Envelope, Refusal, opened, sealed
from thresher.peers.models import MOST_CENTROIDS, ClusterModel, ModelFault, checked_model, version_of
from thresher.peers.neighbourhood import Neighbourhood
from thresher.peers.sharing import MOST_TOPICS, Shared
from thresher.store.peer_records import PeerMeasureRow, PeerRow, PeerState
from thresher.store.protocol import Store

MOST_ASKING: Final = 50
"""Maximum number of unknown peers with pending requests."""

WEEK: Final = 7 * 86_400.0
"""Seconds after which a pending request makes room for another."""

HOUR: Final = 3600.0
_ASKS: Final = 10
"""Messages per hour from unknown senders at one network address."""

_CLUSTERINGS: Final = 20
"""Clusterings per hour that one peer may request: they are the most expensive."""

_LINES: Final = 100
"""Refusals logged per hour."""


class Sharing(Protocol):
    """What a portal shares with its peers."""

    def shared(self) -> Shared:
        """Return the shared models, and the pages for testing the models of others."""

    def clusters(self, topic: str, k: int) -> ClusterModel | None:
        """Return the centroids of a topic's pages for a number of clusters, or None if there are none to share."""


class ResponderRules(Struct, frozen=True):
    """How a portal presents itself to peers, and how many messages per hour it accepts from each."""

    name: str
    address: str = ""
    messages: int = 600


class PeerResponder:
    """Answers messages on behalf of a key's owner; `clock` is wall time, `nonce` returns 16 random bytes."""

    def __init__(
        self,
        key: PeerKey,
        store: Store,
        sharing: Sharing,
        rules: ResponderRules,
        *,
        clock: Callable[[], float],
        nonce: Callable[[], bytes],
        neighbourhood: Neighbourhood,
    ) -> None:
        self._key = key
        self._store = store
        self._sharing = sharing
        self._rules = rules
        self._clock = clock
        self._nonce = nonce
        self._neighbourhood = neighbourhood
        self._measuring = threading.Lock()
        self._handlers: Mapping[str, Callable[[Envelope], dict[str, Any] | Refusal]] = {
            "neighbours": self._neighbours,
            "topics": self._topics,
            "model": self._model,
            "measure": self._measure,
            "measures": self._measures,
            "clusters": self._clusters,
        }

    def answer(self, data: bytes, sender: str) -> bytes | Refusal:
        """Return the signed answer to a message from a network address, or why there is none."""
        found = self._answer(data, sender)
        if isinstance(found, Refusal) and self._take("peer-log", "", _LINES):
            logging.getLogger("thresher.peers").warning("refused a message from %s: %s", sender, found.value)
        return found

    def _answer(self, data: bytes, sender: str) -> bytes | Refusal:
        now = self._clock()
        envelope = opened(data, self._key.public, now)
        if isinstance(envelope, Refusal):
            return envelope
        peer = self._store.peers.get(envelope.sender)
        if peer is not None and peer.state is PeerState.BLOCKED:
            return Refusal.BLOCKED
        known = peer is not None and peer.state is PeerState.ALLOWED
        if not known and envelope.kind != "ask":
            return Refusal.UNKNOWN_PEER
        within = (
            self._take("peer-messages", envelope.sender, self._rules.messages)
            if known
            else self._take("peer-asks", sender, _ASKS)
        )
        if not within:
            return Refusal.TOO_MANY
        if not self._store.peers.take_nonce(envelope.sender, envelope.nonce, now, now - 2 * WINDOW):
            return Refusal.REPLAYED
        body = self._asked(envelope, peer, now) if envelope.kind == "ask" else self._handled(envelope, now)
        if isinstance(body, Refusal):
            return body
        return sealed(self._key, envelope.sender, ANSWER, body, at=now, nonce=self._nonce(), re=envelope.nonce)

    def _handled(self, envelope: Envelope, now: float) -> dict[str, Any] | Refusal:
        if envelope.kind not in KINDS:
            return Refusal.BAD_CONTENT
        self._store.peers.seen(envelope.sender, now)
        return self._handlers[envelope.kind](envelope)

    def _asked(self, envelope: Envelope, peer: PeerRow | None, now: float) -> dict[str, Any] | Refusal:
        """Record a request for permission, and answer with our identity and the state of the request."""
        name, address = envelope.body.get("name", ""), envelope.body.get("address", "")
        if not isinstance(name, str) or not isinstance(address, str) or (address and not is_address(address)):
            return Refusal.BAD_CONTENT
        if peer is None:
            if not self._has_room(now):
                return Refusal.TOO_MANY
            peer = PeerRow(
                key=envelope.sender,
                name=name_in(name, envelope.sender),
                address=address[:LONGEST_ADDRESS],
                state=PeerState.ASKED,
                since=now,
            )
            self._store.peers.put(peer)
        elif address and peer.address != address:
            # The sender has signed its address.
            self._store.peers.put(msgspec.structs.replace(peer, address=address))
        return {"state": peer.state.value, "name": self._rules.name, "address": self._rules.address}

    def _has_room(self, now: float) -> bool:
        """Return whether there is room for another pending request; the oldest one may have to go."""
        waiting = [row for row in self._store.peers.all() if row.state is PeerState.ASKED]
        if len(waiting) < MOST_ASKING:
            return True
        oldest = min(waiting, key=lambda row: row.since)
        return oldest.since < now - WEEK and self._store.peers.forget(oldest.key)

    def _neighbours(self, envelope: Envelope) -> dict[str, Any]:
        now = self._clock()
        mine = self._neighbourhood.entries(now)
        if self._rules.address:
            mine.append(card_of(self._key, self._rules.address, now))
        self._neighbourhood.merge(read_cards(envelope.body.get("entries")), now)
        return {"entries": written_cards(mine)}

    def _topics(self, _: Envelope) -> dict[str, Any]:
        shared = self._sharing.shared()
        rows = [
            {"topic": topic, "version": shared.versions[topic], "pages": model.pages}
            for topic, model in sorted(shared.models.items())
        ]
        return {"topics": rows}

    def _model(self, envelope: Envelope) -> dict[str, Any] | Refusal:
        model = self._sharing.shared().models.get(str(envelope.body.get("topic")))
        return Refusal.NO_SUCH_TOPIC if model is None else {"model": msgspec.to_builtins(model)}

    def _measure(self, envelope: Envelope) -> dict[str, Any] | Refusal:
        """Test a peer's model on our pages, store the result and send it."""
        model = checked_model(envelope.body.get("model"))
        if isinstance(model, ModelFault):
            return Refusal.BAD_CONTENT
        best = best_topic(model.model, self._sharing.shared().pages, model.ids)
        if best is None or best[0] not in self._sharing.shared().models:
            return {"topic": None}
        topic, measure = best
        row = PeerMeasureRow(
            measurer=self._key.public,
            peer=envelope.sender,
            topic=model.topic,
            version=version_of(model),
            accuracy=measure.accuracy,
            pages=measure.pages,
            at=self._clock(),
        )
        with self._measuring:
            own = [one for one in self._store.peers.measures() if one.measurer == self._key.public]
            others = [one for one in own if one.peer != row.peer]
            known = [one for one in own if one.peer == row.peer and one.topic != row.topic]
            newest = sorted(known, key=lambda one: one.at)[1 - MOST_TOPICS :]
            self._store.peers.put_measures(self._key.public, [*others, *newest, row])
        return {"topic": topic, "accuracy": measure.accuracy, "pages": measure.pages}

    def _measures(self, _: Envelope) -> dict[str, Any]:
        """Send what was measured about peers' models, by version; topic names of other peers are not passed on."""
        rows = [one for one in self._store.peers.measures() if one.measurer == self._key.public]
        return {
            "measures": [
                {"peer": one.peer, "version": one.version, "accuracy": one.accuracy, "pages": one.pages} for one in rows
            ]
        }

    def _clusters(self, envelope: Envelope) -> dict[str, Any] | Refusal:
        topic, k = envelope.body.get("topic"), envelope.body.get("k")
        if not isinstance(topic, str) or not isinstance(k, int) or not 2 <= k <= MOST_CENTROIDS:
            return Refusal.BAD_CONTENT
        if not self._take("peer-clusters", envelope.sender, _CLUSTERINGS):
            return Refusal.TOO_MANY
        found = self._sharing.clusters(topic, k)
        return Refusal.NO_SUCH_TOPIC if found is None else {"clusters": msgspec.to_builtins(found)}

    def _take(self, kind: str, name: str, most: int) -> bool:
        """Count an event with an hourly limit, and return whether it is still allowed."""
        now = self._clock()
        digest = blake2b(name.encode(), digest_size=16).digest()
        return self._store.tries.take(kind, digest, now, now - HOUR, most) is None
