"""The type of the object that each command prints with `--json`; docs/COMMANDS.md is generated from it."""

from typing import Any, Final

from thresher.api.archetypes import ArchetypesData
from thresher.api.archives import ArchiveExport, ArchiveImport
from thresher.api.asking import AskSummary
from thresher.api.classifying import Features, Reclassification
from thresher.api.crawl_summary import CrawlSummary
from thresher.api.indexing import IndexState
from thresher.api.link_ranking import LinkRanking
from thresher.api.pages import PageExport, PageList
from thresher.api.reports import RunSummary
from thresher.api.saved_searches import Profiles
from thresher.api.search_data import NeighboursData, SearchData, SearchExport
from thresher.api.sources import NewPortal
from thresher.api.status import Status
from thresher.api.topics import TopicList
from thresher.api.training_data import TrainingData
from thresher.cli.admin_shapes import DoctorData, ServeData, ServedWebData, SettingsData, UsersData, WebData
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
    "harvest": (CrawlSummary,),
    "ask": (AskSummary,),
    "reclassify": (Reclassification,),
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
    "index": (IndexState,),
    "rank": (LinkRanking,),
    "status": (Status,),
    "pages": (PageList, PageExport),
    "explain": (ExplanationData,),
    "log": (LogEntry,),
    "serve": (ServeData,),
    "users": (UsersData,),
    "config show": (SettingsData,),
    "doctor": (DoctorData,),
    "web generate": (WebData,),
    "web serve": (ServedWebData,),
}
"""A command with two types prints the second with `--export`."""

SAME_AS: Final[dict[str, str]] = {
    **dict.fromkeys(("learn", "harvest", "refresh", "resume"), "crawl"),
    "demo": "run",
    "similar": "search",
}
"""Commands that print the same object as another."""
