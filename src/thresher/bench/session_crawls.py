"""Compares crawls that learn from browsing sessions or a context graph with crawls that do not.

The task is that of hard mode: starts are outside the topic, and its examples cannot be fetched. The sessions are those
of people who looked for one of the examples, so no crawl knows more about the topic than the others.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from thresher.analysers import taught
from thresher.bench.assignment import Assignment, Job, assign
from thresher.bench.crawling import crawl
from thresher.bench.experiment import make
from thresher.bench.page_cache import PageCache
from thresher.bench.profile import bench_settings
from thresher.bench.webs.web import BenchWeb
from thresher.bench.wikispeedia_sessions import context_graph, sessions_to
from thresher.parameters import parse
from thresher.protocols import Strategy
from thresher.sessions.path_model import PathModel
from thresher.sessions.session import Session, joined
from thresher.strategies.browsing_hmm import BrowsingHmm
from thresher.strategies.context_graph import ContextGraph

GAMMAS: Final = (0.5, 0.6, 0.7, 0.8)
LAYERS: Final = 4
LARGEST: Final = 300
ON_GRAPH: Final = "+graph"
"""Suffix of strategies that learn from the context graph instead of sessions."""

STRATEGIES: Final = (
    "hmm",
    "hmm(seen=clusters;order=lexicographic;parents=best)",
    "hmm(seen=clusters;order=lexicographic;parents=best;dimensions=0)",
    "hmm+graph",
    "context-graph",
    "context-graph+graph",
    "best-first",
    "best-first(nearest=true)",
    "breadth-first",
    "default",
)


class SessionRun(Struct, frozen=True):
    """The figures of one crawl.

    `relevant` counts pages of the topic by label, `near` those whose cosine with the nearest example is at least .5,
    .6, .7 and .8 in the latent space of the sessions; `sigma` is the mean of that cosine. `recall` is relative to the
    pages with a cosine of at least .7 that any of the crawls found.
    """

    web: str
    topic: str
    strategy: str
    seed: int
    pages: int
    targets: int
    relevant: int
    near: list[int]
    sigma: float
    recall: float
    cpu_ms_per_page: float


def session_runs(
    job: Job, web: BenchWeb, pages: PageCache, data: Path, strategies: Sequence[str], sessions: int
) -> list[SessionRun]:
    """Return the figures of all strategies for the topic and seed set of a job."""
    given = assign(job, web, pages)
    name = f"{web.name}/{job.topic}/{job.seed}"
    examples = given.task.examples
    session = joined(sessions_to(examples, pages, data, sessions, f"{name}/sessions"))
    graph = context_graph(examples, pages, LAYERS, LARGEST, f"{name}/graph")
    judge = PathModel().fit(session if session.useful else graph)
    found: list[tuple[SessionRun, set[str]]] = []
    for strategy in strategies:
        own = graph if strategy.endswith(ON_GRAPH) or not session.useful else session
        found.append(_crawled(replace(job, strategy=strategy), pages, given, own, judge))
    union = set().union(*(near for _, near in found))
    return [replace(run, recall=len(near) / max(1, len(union))) for run, near in found]


def _crawled(
    job: Job, pages: PageCache, given: Assignment, session: Session, judge: PathModel
) -> tuple[SessionRun, set[str]]:
    """Crawl once, and return the figures and the near pages."""
    settings = bench_settings([*job.settings, f"crawl.pages={job.budget}"])
    strategy = _learnt(job, given, session)
    crawled = crawl(given.task, pages, settings, strategy, given.classifier)
    read = ((url, pages.page(url)) for url in crawled.urls)
    nearness = {url: judge.nearness(page.terms) for url, page in read if page is not None}
    relevant = sum(bool(given.task.targets[number]) for url in crawled.urls for number in [pages.number(url)])
    run = SessionRun(
        web=job.web,
        topic=job.topic,
        strategy=job.strategy,
        seed=job.seed,
        pages=len(crawled.urls),
        targets=int(given.task.targets.sum()),
        relevant=relevant,
        near=[sum(value >= gamma for value in nearness.values()) for gamma in GAMMAS],
        sigma=round(sum(nearness.values()) / max(1, len(nearness)), 4),
        recall=0.0,
        cpu_ms_per_page=round(1000 * crawled.cpu_seconds / max(1, len(crawled.urls)), 3),
    )
    return run, {url for url, value in nearness.items() if value >= GAMMAS[2]}


def _learnt(job: Job, given: Assignment, session: Session) -> Strategy:
    spec = job.strategy.removesuffix(ON_GRAPH)
    made = make(spec, {}, job.seed)
    if isinstance(made, BrowsingHmm | ContextGraph):
        return made.learn(session)
    return taught(made, parse(spec)[0], given.classifier, given.examples)


def summary(runs: Iterable[SessionRun]) -> dict[str, list[float]]:
    """Return the means per strategy of relevant pages, near pages (.5 to .8), sigma and recall."""
    found: dict[str, list[list[float]]] = {}
    for run in runs:
        found.setdefault(run.strategy, []).append([run.relevant, *run.near, run.sigma, run.recall])
    return {name: [sum(column) / len(rows) for column in zip(*rows, strict=True)] for name, rows in found.items()}
