"""Fetches the models of peers, tests and matches them, and decides which of them get a vote.

A peer's model is first tested on our pages. Only if it recognises one of our topics well does the peer get our model,
to test it on its own pages; the two topics match if both sides agree. Everything a peer sends is checked, and peers
that fail or lie are noted and left out.
"""

import logging
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, Literal

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from thresher.classify.linear_model import LinearMachine
from thresher.classify.opinions import Opinion, TopicOpinions
from thresher.peers.client import PeerClient
from thresher.peers.keys import is_public_key
from thresher.peers.matching import LabelledPages, Separation, best_topic, held_out_choice, matches
from thresher.peers.messages import MEANING as REFUSED
from thresher.peers.messages import Refusal
from thresher.peers.meta import accuracy_of, weight_of
from thresher.peers.models import ModelFault, TopicModel, checked_model, version_of
from thresher.peers.planning import SharedErrors, VotePlan, agreement, planned, unanimous
from thresher.peers.sharing import MOST_TOPICS, Shared
from thresher.reasons import MEANING, Reason
from thresher.store.peer_records import PeerMeasureRow, PeerModelRow, PeerRow
from thresher.store.protocol import Store

MOST_MEASURES: Final = 2_000
"""Maximum number of measurements accepted from one peer."""

BAD_MODEL: Final = "It sent a model that cannot be used ({fault})."
BAD_ANSWER: Final = "Its answer cannot be used."

_MOST_PAGES: Final = 1_000_000
_LONGEST_VERSION: Final = 64


class Unusable(StrEnum):
    """Why nothing of a peer is used although it did not refuse, and can be reached."""

    MODEL = "bad-model"
    ANSWER = "bad-answer"
    NO_ADDRESS = "no-address"


class PeerNote(Struct, frozen=True):
    """What went wrong with a peer, in a sentence, and by the name of a `Refusal`, a `Reason` or an `Unusable`."""

    peer: str
    name: str
    sentence: str
    reason: str = ""


class ReceivedModels(Struct, frozen=True):
    """What a peer sent: its models, tested and matched but not yet in use, its own measurements, and notes."""

    models: list[PeerModelRow]
    measures: list[PeerMeasureRow]
    notes: list[PeerNote]


class _Told(Struct, frozen=True):
    """A measurement reported by a peer."""

    peer: str
    version: str
    accuracy: float
    pages: int


class TopicPlan(Struct, frozen=True):
    """The models in use for one of our topics, and the expected result of a unanimous vote with our own.

    `plan` is None if there are fewer than two models to estimate it from, and `reached` is False if the requested loss
    and error cannot be met.
    """

    topic: str
    models: int
    plan: VotePlan | None
    reached: bool = True


async def get_models(client: PeerClient, peer: PeerRow, shared: Shared, *, at: float) -> ReceivedModels | PeerNote:
    """Return the models and measurements of a peer, or a note if an answer is missing.

    Incomplete data is discarded, because it would replace what the peer sent before.
    """
    received = await _received(client, peer)
    if isinstance(received, PeerNote):
        return received
    models, notes = received
    here = {topic: best_topic(model.model, shared.pages, model.ids) for topic, model in models.items()}
    there: dict[str, str | None] = {}
    for own in sorted({best[0] for best in here.values() if best is not None} & shared.models.keys()):
        answer = await client.send(
            peer.key, peer.address, "measure", {"model": msgspec.to_builtins(shared.models[own])}
        )
        if not isinstance(answer, dict):
            return _note(peer, answer)
        best = answer.get("topic")
        there[own] = best if isinstance(best, str) else None
    matched = {match.theirs: match.own for match in matches(here, there)}
    rows = [_row(peer, model, here[topic], matched.get(topic), at) for topic, model in models.items()]
    measures = await _measures(client, peer, at)
    return measures if isinstance(measures, PeerNote) else ReceivedModels(rows, measures, notes)


async def _received(client: PeerClient, peer: PeerRow) -> tuple[dict[str, TopicModel], list[PeerNote]] | PeerNote:
    """Return the models of a peer by topic, with notes on those that cannot be used."""
    listed = await _list(client, peer, "topics")
    if isinstance(listed, PeerNote):
        return listed
    models: dict[str, TopicModel] = {}
    notes = []
    for one in listed[:MOST_TOPICS]:
        topic = one.get("topic") if isinstance(one, dict) else None
        if not isinstance(topic, str):
            continue
        answer = await client.send(peer.key, peer.address, "model", {"topic": topic})
        if not isinstance(answer, dict):
            return _note(peer, answer)
        model = checked_model(answer.get("model"))
        if isinstance(model, ModelFault) or model.topic != topic:
            fault = model.value if isinstance(model, ModelFault) else ModelFault.BAD_TOPIC.value
            logging.getLogger("thresher.peers").warning("%s sent a bad model: %s", peer.name, fault)
            notes.append(PeerNote(peer.key, peer.name, BAD_MODEL.format(fault=fault), Unusable.MODEL))
            continue
        models[topic] = model
    return models, notes


def _row(
    peer: PeerRow, model: TopicModel, best: tuple[str, Separation] | None, own: str | None, at: float
) -> PeerModelRow:
    measure = best[1] if best is not None else None
    return PeerModelRow(
        peer=peer.key,
        topic=model.topic,
        version=version_of(model),
        own=own,
        at=at,
        accuracy=measure.accuracy if measure else None,
        low=measure.low if measure else None,
        pages=measure.pages if measure else 0,
        centre=measure.centre if measure else 0.0,
        unit=measure.unit if measure else 1.0,
        used=False,
        model=msgspec.json.encode(model),
    )


async def _measures(client: PeerClient, peer: PeerRow, at: float) -> list[PeerMeasureRow] | PeerNote:
    """Return a peer's measurements of other peers' models, without those of its own models.

    Topics of third peers are identified only by the versions of their models.
    """
    listed = await _list(client, peer, "measures")
    if isinstance(listed, PeerNote):
        return listed
    found = []
    for one in listed[:MOST_MEASURES]:
        try:
            told = msgspec.convert(one, _Told)
        except (msgspec.ValidationError, ValueError, RecursionError):
            continue
        if told.peer != peer.key and _is_sensible(told):
            row = PeerMeasureRow(measurer=peer.key, topic=told.version, at=at, **msgspec.structs.asdict(told))
            found.append(row)
    return found


def _is_sensible(told: _Told) -> bool:
    sizes = 0 < len(told.version) <= _LONGEST_VERSION and 0 <= told.pages <= _MOST_PAGES
    return sizes and is_public_key(told.peer) and 0.0 <= told.accuracy <= 1.0


async def _list(client: PeerClient, peer: PeerRow, kind: Literal["topics", "measures"]) -> list[Any] | PeerNote:
    """Return the list in a peer's answer, stored under the name of the message."""
    said = await client.send(peer.key, peer.address, kind, {})
    if not isinstance(said, dict):
        return _note(peer, said)
    listed = said.get(kind)
    return listed if isinstance(listed, list) else PeerNote(peer.key, peer.name, BAD_ANSWER, Unusable.ANSWER)


def choose(
    store: Store, shared: Shared, own_key: str, *, loss: float | None = None, error: float | None = None
) -> list[TopicPlan]:
    """Activate the models that match a topic, or only the most accurate if fewer are enough, and return the plans.

    With a requested `loss` or `error`, as many are used as the estimate requires. Models of peers that are no longer
    allowed have already been removed.
    """
    rows = store.peers.models()
    plans, used = [], set[tuple[str, str]]()
    for pages in shared.pages:
        mine = [row for row in rows if row.own == pages.topic and weight_in(store, own_key, row) > 0.0]
        mine.sort(key=lambda row: (-weight_in(store, own_key, row), row.peer))
        if not mine:
            continue
        known = _agreement(mine, pages)
        plan = TopicPlan(pages.topic, len(mine), unanimous(known, len(mine) + 1) if known else None)
        if known is not None and (loss is not None or error is not None):
            wanted = planned(known, len(mine) + 1, least=2, loss=loss, error=error)
            number = wanted.models - 1 if wanted else len(mine)
            plan = TopicPlan(pages.topic, number, wanted or plan.plan, wanted is not None)
        used |= {(row.peer, row.topic) for row in mine[: plan.models]}
        plans.append(plan)
    for peer in {row.peer for row in rows}:
        own = [replace(row, used=(row.peer, row.topic) in used) for row in rows if row.peer == peer]
        store.peers.put_models(peer, own)
    return plans


def weight_in(store: Store, own_key: str, row: PeerModelRow) -> float:
    """Return the weight of a model's vote, by our own measurement and those of peers other than its sender."""
    if row.accuracy is None or row.low is None:
        return 0.0
    others = [
        one.accuracy
        for one in store.peers.measures()
        if (one.peer, one.version) == (row.peer, row.version) and one.measurer not in (row.peer, own_key)
    ]
    return weight_of(accuracy_of(Separation(row.accuracy, row.low, row.pages, row.centre, row.unit), others))


def opinions_in_use(store: Store, own_key: str) -> dict[str, TopicOpinions]:
    """Return the opinions to use for classification, by our topic."""
    names = {row.key: row.name for row in store.peers.all()}
    found: dict[str, list[Opinion]] = {}
    for row in store.peers.models(used=True):
        weight = weight_in(store, own_key, row)
        if row.own is not None and weight > 0.0 and row.peer in names:
            model = model_of(row)
            opinion = Opinion(names[row.peer], row.topic, weight, row.centre, row.unit, model.model)
            found.setdefault(row.own, []).append(opinion)
    return {topic: TopicOpinions(1.0, opinions) for topic, opinions in found.items()}


def model_of(row: PeerModelRow) -> TopicModel:
    """Return the model in a row; it was checked when it was received."""
    return msgspec.json.decode(row.model, type=TopicModel)


def failure_sentence(failure: Refusal | Reason) -> str:
    """Return, in words, why a peer did not answer.

    >>> failure_sentence(Refusal.UNKNOWN_PEER)
    'It refused the message: The sender has not been allowed.'
    """
    if isinstance(failure, Refusal):
        return f"It refused the message: {REFUSED[failure]}"
    return f"It cannot be reached: {MEANING[failure]}"


def _agreement(rows: Sequence[PeerModelRow], pages: LabelledPages) -> SharedErrors | None:
    """Return how models err together on our pages; None if there are fewer than two."""
    if len(rows) < 2:
        return None
    models = [model_of(row) for row in rows]
    said = [LinearMachine(model.model).confidences(pages.bags) for model in models]
    right = np.array([held_out_choice(one, pages.members, pages.general) == pages.members for one in said])
    # Generated documents about nothing are easier than pages, and a model is not tested on its training pages.
    taught = [set(model.ids) for model in models]
    asked = np.array([[id_ not in ids for id_ in pages.ids] for ids in taught]) & ~pages.general
    return agreement(right, asked) if asked.any() else None


def _note(peer: PeerRow, failure: Refusal | Reason) -> PeerNote:
    return PeerNote(peer.key, peer.name, failure_sentence(failure), failure)
