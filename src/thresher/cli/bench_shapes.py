"""The objects that `thresher bench` prints with `--json`; the rows in them are the figures of each measure."""

from typing import Any, NotRequired, TypedDict

from thresher.bench.accuracy import Accuracy
from thresher.bench.answers import AnswerRun
from thresher.bench.ask.figures import AskFigures
from thresher.bench.ask.searches import Search
from thresher.bench.classifier_quality import ClassifierRow
from thresher.bench.committee import Agreement
from thresher.bench.context_quality import ContextQuality
from thresher.bench.crash import CrashFigures as CrashFigures
from thresher.bench.document_measures.crawl import CrawlFigures
from thresher.bench.document_measures.kinds import KindFigures
from thresher.bench.document_measures.memory import MemoryFigures
from thresher.bench.fairness import FairnessFigures as FairnessFigures
from thresher.bench.findings import ClaimResult
from thresher.bench.gate import FloorResult
from thresher.bench.growth import GrowthRow
from thresher.bench.hostile import HostileFigures as HostileFigures
from thresher.bench.kept_curve import CurvePoint
from thresher.bench.link_orders import OrderRun
from thresher.bench.main_text import TextFigures
from thresher.bench.manners import MannersFigures as MannersFigures
from thresher.bench.order_tests import OrderTest
from thresher.bench.organise.draws import OrganiseRun
from thresher.bench.organise.filter_quality import IntervalCoverage
from thresher.bench.organise.split_speed import SplitSpeed
from thresher.bench.peers.classification import PeerRun
from thresher.bench.peers.clustering import ClusterRun
from thresher.bench.peers.harvests import HarvestRun
from thresher.bench.peers.overlay_processes import ProcessFigures, Traffic
from thresher.bench.peers.overlay_simulation import OverlayFigures
from thresher.bench.portal_load import Answered
from thresher.bench.promise.comparing import Difference
from thresher.bench.promise.records import Promise
from thresher.bench.promise.rejudging import RejudgedTrial
from thresher.bench.records import Run
from thresher.bench.search.indexed_crawl import IndexShare
from thresher.bench.search.latency import IndexCost, Latency
from thresher.bench.search.quality import RankingQuality
from thresher.bench.session_crawls import SessionRun
from thresher.bench.sites.cost import CpuRow, MemoryRow
from thresher.bench.sites.measuring import PageQuality
from thresher.bench.sites.trial import SiteRun
from thresher.bench.speed_classify import ClassifyFigures
from thresher.bench.speed_engine import CostAtMark
from thresher.bench.speed_frontier import FrontierFigures
from thresher.bench.speed_links import LinkFigures
from thresher.bench.speed_reading import ReadingFigures as ReadingFigures
from thresher.bench.stages import StageRow
from thresher.bench.statistics import PairedTest
from thresher.bench.tiers import TierFigures as TierFigures


class WebRow(TypedDict):
    """A web; `digest` is null if its data is missing, and `note` then says why."""

    web: str
    pages: int
    labelled: int
    topics: int
    digest: str | None
    note: str


class WebTopic(TypedDict):
    """A topic of a web, and how many pages it has."""

    web: str
    topic: str
    pages: int


class Webs(TypedDict):
    """All webs; `topics` are those of the web that was named."""

    webs: list[WebRow]
    topics: NotRequired[list[WebTopic]]


class ParameterRow(TypedDict):
    """A parameter and its default, null if it has none."""

    name: str
    default: Any


class StrategyRow(TypedDict):
    """A strategy and its parameters."""

    name: str
    meaning: str
    parameters: list[ParameterRow]


class StrategyList(TypedDict):
    """All strategies that can be compared."""

    strategies: list[StrategyRow]


class Runs(TypedDict):
    """One row for each run."""

    runs: list[Run]


class ReportFiles(TypedDict):
    """The files that were written, the number of runs, and the figures of each experiment.

    `experiments` have `web`, `mode`, `budget`, `conditions`, `baseline`, `doubts`, `figures`, `tests` and `findings`,
    the last as for `bench findings`.
    """

    report: str
    curves: str
    runs: int
    experiments: list[dict[str, Any]]


class FindingsOfExperiment(TypedDict):
    """The findings of the runs that share a web, a mode, a budget and conditions; `doubts` are reasons for caution."""

    web: str
    mode: str
    budget: int
    conditions: str
    doubts: list[str]
    findings: list[ClaimResult]


class Findings(TypedDict):
    """The findings of each experiment."""

    experiments: list[FindingsOfExperiment]


class Accuracies(TypedDict):
    """The accuracy of each classifier on each topic."""

    accuracy: list[Accuracy]


class GateResult(TypedDict):
    """Whether all floors hold; `changed` counts the floors that `--accept` moved.

    The state of a floor is `held`, `fallen`, `unmeasured` or `new`.
    """

    passed: bool
    floors: list[FloorResult]
    changed: int


class PhaseComparison(TypedDict):
    """The variants compared, the tests between them, and the rounds of retraining.

    `rows` have `variant`, `pages`, `recall`, `recall_error`, `harvest_rate` and `harvest_error`. `tests` have
    `against`, `pages`, `difference`, `error`, `p_value`, `flip`, `n` and `units`, which are topics, or the seed sets of
    a single topic; a single run has no test.
    """

    web: str
    topics: list[str]
    rows: list[dict[str, Any]]
    tests: list[dict[str, Any]]
    rounds: list[list[dict[str, Any]]]


class Promises(TypedDict):
    """One row for each trial; with `--against`, the settings and the differences they make."""

    runs: list[Promise]
    against: NotRequired[list[str]]
    differences: NotRequired[list[Difference]]


class Rejudged(TypedDict):
    """One row for each record that was judged again."""

    rows: list[RejudgedTrial]


class AskResults(TypedDict):
    """The figures of each way to search, and each search."""

    figures: list[AskFigures]
    runs: list[Search]


class SearchBench(TypedDict):
    """Latencies, the cost of an index, its share of a crawl's processor time, and the quality of rankings."""

    runs: list[Latency]
    costs: list[IndexCost]
    shares: list[IndexShare]
    quality: list[RankingQuality]


class ClassifierBench(TypedDict):
    """The classifiers, and for each tree the precision at each threshold."""

    collection: str
    classifiers: list[ClassifierRow]
    curves: dict[str, list[CurvePoint]]


class PortalBench(TypedDict):
    """The size of the portal, and one row for each route."""

    documents: int
    runs: list[Answered]


class MainText(TypedDict):
    """One row for each extractor and half of the pages."""

    main_text: list[TextFigures]


class CommitteeBench(TypedDict):
    """One row for each topic."""

    committee: list[Agreement]


class Contexts(TypedDict):
    """One row for each context and topic."""

    contexts: list[ContextQuality]


class Orders(TypedDict):
    """One row for each crawl, and the tests of each strategy against the first."""

    runs: list[OrderRun]
    tests: list[OrderTest]


class SessionRuns(TypedDict):
    """One row for each crawl."""

    runs: list[SessionRun]


class AnswerBench(TypedDict):
    """One row for each topic of each crawl."""

    runs: list[AnswerRun]


class SiteBench(TypedDict):
    """The runs, the quality of the page classifiers, and paired tests of every method against the default.

    `tests` holds a test for each method, for the figures `f` and `pprs`; a test is None if there are fewer than two
    pairs, and `tests` is empty if the default was not run.
    """

    runs: list[SiteRun]
    quality: list[PageQuality]
    tests: dict[str, dict[str, PairedTest | None]]


class SiteCost(TypedDict):
    """CPU time by strategy, memory by number of pages, and memory by number of made-up sites `closing`."""

    cpu: list[CpuRow]
    memory: list[MemoryRow]
    closing: list[MemoryRow]


class OrganiseBench(TypedDict):
    """The runs, the coverage of the error estimates' intervals, and the time of a split.

    Each is empty if `--only` leaves out its part.
    """

    runs: list[OrganiseRun]
    intervals: list[IntervalCoverage]
    speed: list[SplitSpeed]


class PeerBench(TypedDict):
    """The runs of classification, clustering and crawls, the simulated overlay, that of processes, and its traffic.

    A part that `--only` leaves out is an empty list or None.
    """

    runs: list[PeerRun]
    clusters: list[ClusterRun]
    harvests: list[HarvestRun]
    overlay: OverlayFigures | None
    processes: ProcessFigures | None
    traffic: Traffic


class DocumentBench(TypedDict):
    """The figures of each measure that was run; measures from other packages appear under their own names."""

    crawl: NotRequired[CrawlFigures]
    kinds: NotRequired[list[KindFigures]]
    memory: NotRequired[MemoryFigures]


class GrowthBench(TypedDict):
    """One row for each strategy and range of pages."""

    rows: list[GrowthRow]


class FrontierBench(TypedDict):
    """One row for each size of the frontier."""

    frontier: list[FrontierFigures]


class EngineBench(TypedDict):
    """One row for each size of the crawl."""

    engine: list[CostAtMark]


class StageBench(TypedDict):
    """One row for each stage."""

    stages: list[StageRow]


class LinkBench(TypedDict):
    """One row for each graph."""

    links: list[LinkFigures]


class ClassifyBench(TypedDict):
    """One row for each number of topics."""

    classify: list[ClassifyFigures]
