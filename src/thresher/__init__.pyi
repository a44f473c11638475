from thresher.api.pages import Page as Page
from thresher.api.pages import Pages as Pages
from thresher.api.portal import Portal as Portal
from thresher.api.reports import Report as Report
from thresher.errors import ThresherError as ThresherError
from thresher.portal.serving import serve as serve
from thresher.protocols import PageClassifier as Classifier
from thresher.protocols import Strategy as Strategy
from thresher.store.records import Progress as Progress
from thresher.strategies.children import children as children
from thresher.types import Candidate as Candidate
from thresher.types import Judgement as Judgement

__version__: str

__all__ = [
    "Candidate",
    "Classifier",
    "Judgement",
    "Page",
    "Pages",
    "Portal",
    "Progress",
    "Report",
    "Strategy",
    "ThresherError",
    "__version__",
    "children",
    "serve",
]
