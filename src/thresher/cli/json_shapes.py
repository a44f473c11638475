"""The type of the object that each command prints with `--json`; docs/COMMANDS.md is generated from it."""

from typing import Any, Final

from thresher.api.answers import LessonData
from thresher.api.archetypes import ArchetypesData
from thresher.api.archives import ArchiveExport, ArchiveImport
from thresher.api.asking import AskSummary
from thresher.api.classifying import Features, Reclassification
from thresher.api.crawl_summary import CrawlSummary
from thresher.api.indexing import IndexData
from thresher.api.link_ranking import LinkRanking
from thresher.api.organised_data import DedupeData, FilterData, SplitData, UndoneData
from thresher.api.pages import PageExport, PageList
from thresher.api.paths import PathsData
from thresher.api.peer_data import AskedData, PeersData, PeersServed, PeersUsed
from thresher.api.reports import RunSummary
from thresher.api.saved_searches import Profiles
from thresher.api.search_data import NeighboursData, SearchData, SearchExport
from thresher.api.sites import SiteDecision, SiteExport, SiteLessons, SiteList, SiteRunSummary
from thresher.api.sources import NewPortal
from thresher.api.status import Status
from thresher.api.topics import TopicList
from thresher.api.training_data import TrainingData
from thresher.api.users import UsersData
from thresher.cli import bench_shapes
from thresher.cli.admin_shapes import (
    DoctorData,
    ReportText,
    ServeData,
    ServedSitesData,
    ServedWebData,
    SettingsData,
    WebData,
)
from thresher.cli.browsing_shapes import HistoryData, SessionsData
from thresher.runs.site_explanation import SiteStory
from thresher.store.explanation_data import ExplanationData
from thresher.store.records import LogEntry

SHAPES: Final[dict[str, tuple[Any, ...]]] = {
    "new": (NewPortal,),
    "topics": (TopicList,),
    "train": (TrainingData,),
    "features": (Features,),
    "run": (RunSummary,),
    "learn": (CrawlSummary,),
    "archetypes": (ArchetypesData,),
    "history": (HistoryData,),
    "sessions": (SessionsData,),
    "harvest": (CrawlSummary,),
    "ask": (AskSummary,),
    "reclassify": (Reclassification,),
    "answers": (LessonData,),
    "sites": (SiteList, SiteRunSummary, SiteStory, SiteExport, SiteDecision, SiteLessons),
    "split": (SplitData, UndoneData),
    "filter": (FilterData, UndoneData),
    "dedupe": (DedupeData, UndoneData),
    "learn-paths": (PathsData,),
    "report": (ReportText,),
    "crawl": (CrawlSummary,),
    "refresh": (CrawlSummary,),
    "resume": (CrawlSummary,),
    "demo": (RunSummary,),
    "export": (ArchiveExport,),
    "import": (ArchiveImport,),
    "search": (SearchData, SearchExport),
    "similar": (SearchData,),
    "neighbours": (NeighboursData,),
    "profiles": (Profiles,),
    "index": (IndexData,),
    "rank": (LinkRanking,),
    "status": (Status,),
    "pages": (PageList, PageExport),
    "explain": (ExplanationData, SiteStory),
    "log": (LogEntry,),
    "serve": (ServeData,),
    "users": (UsersData,),
    "peers": (PeersData, AskedData, PeersUsed, PeersServed),
    "config show": (SettingsData,),
    "doctor": (DoctorData,),
    "web generate": (WebData,),
    "web serve": (ServedWebData,),
    "web sites": (ServedSitesData,),
    "bench webs": (bench_shapes.Webs,),
    "bench strategies": (bench_shapes.StrategyList,),
    "bench run": (bench_shapes.Runs,),
    "bench report": (bench_shapes.ReportFiles,),
    "bench findings": (bench_shapes.Findings,),
    "bench accuracy": (bench_shapes.Accuracies,),
    "bench gate": (bench_shapes.GateResult,),
    "bench phases": (bench_shapes.PhaseComparison,),
    "bench promise": (bench_shapes.Promises,),
    "bench rejudge": (bench_shapes.Rejudged,),
    "bench ask": (bench_shapes.AskResults,),
    "bench search": (bench_shapes.SearchBench,),
    "bench classifier": (bench_shapes.ClassifierBench,),
    "bench portal": (bench_shapes.PortalBench,),
    "bench main-text": (bench_shapes.MainText,),
    "bench committee": (bench_shapes.CommitteeBench,),
    "bench contexts": (bench_shapes.Contexts,),
    "bench orders": (bench_shapes.Orders,),
    "bench sessions": (bench_shapes.SessionRuns,),
    "bench answers": (bench_shapes.AnswerBench,),
    "bench sites": (bench_shapes.SiteBench, bench_shapes.SiteCost),
    "bench organise": (bench_shapes.OrganiseBench,),
    "bench peers": (bench_shapes.PeerBench,),
    "bench documents": (bench_shapes.DocumentBench,),
    "bench crash": (bench_shapes.CrashFigures,),
    "bench manners": (bench_shapes.MannersFigures,),
    "bench hostile": (bench_shapes.HostileFigures,),
    "bench fairness": (bench_shapes.FairnessFigures,),
    "bench speed frontier": (bench_shapes.FrontierBench,),
    "bench speed engine": (bench_shapes.EngineBench,),
    "bench speed crawl": (bench_shapes.TierFigures,),
    "bench speed stages": (bench_shapes.StageBench,),
    "bench speed links": (bench_shapes.LinkBench,),
    "bench speed reading": (bench_shapes.ReadingFigures,),
    "bench speed classify": (bench_shapes.ClassifyBench,),
    "bench speed growth": (bench_shapes.GrowthBench,),
}
"""A command with several types prints each with the words of `VARIANTS`."""

VARIANTS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("search", "pages"), ("", "--export")),
    **dict.fromkeys(("split", "filter", "dedupe"), ("", "--undo")),
    "explain": ("", "--site"),
    "bench sites": ("", "--cost"),
    "peers": ("list allow forget", "ask", "use", "serve"),
    "sites": ("list", "run", "show", "export", "accept reject", "learn"),
}
"""For each command, the words that select the types in `SHAPES`, in the same order; the first is the default."""

SAME_AS: Final[dict[str, str]] = {
    **dict.fromkeys(("learn", "harvest", "refresh", "resume"), "crawl"),
    "demo": "run",
    "similar": "search",
}
"""Commands that print the same object as another."""
