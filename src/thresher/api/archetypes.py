"""Archetypes: crawled pages that topics are trained on in addition to the user's examples."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from msgspec.structs import replace

from thresher.api.overrides import Settings, overrides_of
from thresher.errors import InputError, UsageError, command
from thresher.store.locks import CrawlLock, holder
from thresher.store.protocol import Store
from thresher.store.records import ArchetypeRow, ArchetypeState, ModelRow
from thresher.store.repository import open_store
from thresher.web.urls import canonical

if TYPE_CHECKING:
    from thresher.config.settings import Settings as PortalSettings


class ArchetypeData(TypedDict):
    """A crawled page that a topic can be trained on; `state` is proposed, accepted or rejected."""

    topic: str
    url: str
    rule: str
    confidence: float
    authority: float
    state: str


class RoundTopic(TypedDict):
    """What a round did for a topic: whether its new archetypes are used, and why not."""

    topic: str
    kept: bool
    why: str


class RoundData(TypedDict):
    """A model in the history of a portal.

    `before` and `after` are the cross-validated accuracies on the user's own pages, null without a round of retraining.
    `moved` counts the pages that changed topic. `state` is `in use`, `rolled back` or `earlier`.
    """

    step: int
    model: str
    at: float
    archetypes: int
    before: float | None
    after: float | None
    topics: list[RoundTopic]
    moved: int | None
    state: str


class StoredRound(RoundData):
    """A model with the full report of its round; null if there was no round."""

    report: dict[str, Any] | None


class ArchetypesData(TypedDict):
    """The keys depend on the action.

    `list`, `accept` and `reject` print `archetypes`. `rounds` prints `rounds`, or `stored_round` for one step.
    `rollback` prints the steps it rolled back, and `rounds`. `retrain` prints `round`, the report: `kept` (whether any
    topic uses new archetypes), `archetypes`, `pages` (yours), `change` (accuracy on your pages: before, after, lost,
    won), `topics` (a change for each), `moves` (from, to, pages) of the `looked_at` pages, `by_topic`, `before` (the
    model before), `model`, `step` and `judged` (pages, accepted, moved; null during a crawl).
    """

    portal: str
    archetypes: NotRequired[list[ArchetypeData]]
    round: NotRequired[dict[str, Any]]
    rounds: NotRequired[list[RoundData]]
    stored_round: NotRequired[StoredRound]
    rolled_back: NotRequired[list[int]]


class Archetypes:
    """Proposes crawled pages as training pages and retrains with them; get it from `portal.archetypes`.

    All methods raise InputError if the portal was never trained.
    """

    def __init__(self, path: Path, settings: Settings | None = None) -> None:
        self._path = path
        self._overrides = settings

    def __repr__(self) -> str:
        return f"Archetypes({str(self._path)!r})"

    def propose(self) -> list[ArchetypeData]:
        """Propose the best crawled pages of each topic, and return them together with those decided earlier."""
        from thresher.classify.examples_file import load_training_set
        from thresher.link_analysis import analyse_links
        from thresher.models import load_classifier, used_model
        from thresher.store.model_files import model_path
        from thresher.train.retraining import grounds_of, propose, rules_of

        settings = self._settings()
        with self._opened() as store:
            training_set = load_training_set(Path(model_path(self._path, used_model(self._path, store).file)))
            grounds = grounds_of(store, load_classifier(self._path, store), training_set)
            rows = propose(store, analyse_links(store), grounds, rules_of(settings, asked=True), time.time())
        return _data(rows)

    def accept(self, urls: Sequence[str] = ()) -> list[ArchetypeData]:
        """Accept archetypes, or all proposed ones if no URL is given, and return all."""
        return self._decide(urls, ArchetypeState.ACCEPTED)

    def reject(self, urls: Sequence[str]) -> list[ArchetypeData]:
        """Reject archetypes and return all."""
        if not urls:
            raise UsageError(
                "No archetype to reject was given.",
                f"Give its URL: {command('archetypes', self._path, 'reject', 'URL')}",
            )
        return self._decide(urls, ArchetypeState.REJECTED)

    def retrain(self) -> dict[str, Any]:
        """Retrain the topics with their archetypes, reclassify all pages, and return what the round did.

        Raises InputError if nothing was learned. During a crawl, the crawl itself reclassifies the pages.
        """
        from thresher.models import load_classifier
        from thresher.train.reclassifying import reclassify
        from thresher.train.retraining import retrain_portal

        settings = self._settings()
        with self._opened() as store:
            told = retrain_portal(self._path, store, settings, time.time(), asked=True)
            if "error" in told.detail:
                raise self._unchanged(told.detail["error"], settings.archetypes.review)
            judged = None
            if holder(self._path) is None:
                with CrawlLock(self._path):
                    classifier = load_classifier(self._path, store)
                    done = reclassify(store, classifier, at=time.time(), preview=settings.reading.preview)
                judged = {"pages": done.pages, "accepted": done.accepted, "moved": sum(done.moves.values())}
        return {**told.detail, "judged": judged}

    def rounds(self) -> list[RoundData]:
        """Return all models of the portal with their rounds, oldest first."""
        with self._opened() as store:
            return _rounds(store)

    def round(self, step: int) -> StoredRound:
        """Return one model and the full report of its round; raise InputError if there is no such step."""
        with self._opened() as store:
            used, rows = store.models.newest(), store.models.all()
        row = next((row for row in rows if row.step == step), None)
        if row is None:
            raise InputError(f"There is no step {step}.", f"List them: {command('archetypes', self._path, 'rounds')}")
        return {**_round(row, used), "report": row.report}

    def roll_back(self, step: int | None = None) -> list[int]:
        """Restore the model of a step, by default the previous one; return the steps that are no longer used."""
        from thresher.models import roll_back

        with self._opened() as store:
            return [row.step for row in roll_back(self._path, store, step)]

    def _settings(self) -> "PortalSettings":
        from thresher.config.load import load

        return load(self._path, overrides_of(self._overrides)).settings

    def _opened(self) -> "closing[Store]":
        from thresher.models import load_classifier

        store = open_store(self._path)
        try:
            load_classifier(self._path, store)
        except BaseException:
            store.close()
            raise
        return closing(store)

    def _decide(self, urls: Sequence[str], state: ArchetypeState) -> list[ArchetypeData]:
        with self._opened() as store:
            rows = store.archetypes.all()
            named = {canonical(url) or url for url in urls}
            unknown = sorted(named - {row.url for row in rows})
            if unknown:
                raise InputError(
                    f"{unknown[0][:200]} is not an archetype.",
                    f"List them: {command('archetypes', self._path, 'list')}",
                )
            chosen = [row for row in rows if row.url in named or (not named and row.state is ArchetypeState.PROPOSED)]
            store.archetypes.put([replace(row, state=state, at=time.time()) for row in chosen])
            return _data(store.archetypes.all())

    def _unchanged(self, error: str, review: bool) -> InputError:
        action = "accept" if review else "list"
        return InputError(
            f"Retraining changed nothing: {error}.",
            f"Review the archetypes: {command('archetypes', self._path, action)} - "
            f"or find more: {command('learn', self._path)}",
        )


def _rounds(store: Store) -> list[RoundData]:
    used = store.models.newest()
    return [_round(row, used) for row in store.models.all()]


def _round(row: ModelRow, used: ModelRow | None) -> RoundData:
    report = row.report or {}
    change = report.get("change", {})
    return {
        "step": row.step,
        "model": row.file.removesuffix(".zip"),
        "at": row.at,
        "archetypes": report.get("archetypes", 0),
        "before": change.get("before"),
        "after": change.get("after"),
        "topics": [
            {"topic": topic["topic"], "kept": topic.get("kept", False), "why": topic.get("why", "")}
            for topic in report.get("topics", [])
        ],
        "moved": sum(move["pages"] for move in report["moves"]) if "moves" in report else None,
        "state": "in use" if row == used else "rolled back" if row.rolled_back else "earlier",
    }


def _data(rows: Sequence[ArchetypeRow]) -> list[ArchetypeData]:
    return [
        {
            "topic": row.topic,
            "url": row.url,
            "rule": row.rule,
            "confidence": round(row.confidence, 4),
            "authority": round(row.authority, 6),
            "state": row.state.value,
        }
        for row in rows
    ]
