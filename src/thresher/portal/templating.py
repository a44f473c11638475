"""The template environment, and cached fragments that are the same for every reader of a language."""

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.runtime import Context, Macro
from markupsafe import Markup

from thresher.portal.assets import assets
from thresher.portal.fragments import path_parts
from thresher.portal.ids import page_name, site_address, topic_address
from thresher.portal.messages import LANGUAGES, messages_in
from thresher.portal.wording import Sureness, sureness
from thresher.portal.work_faults import WorkFault


class LeanContext(Context):
    """Calls functions directly.

    Before every call, Jinja checks whether the function wants the context. A page calls hundreds of functions, and of
    ours only macros want it.
    """

    def call(self, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function or a template macro."""
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return obj(self.eval_ctx, *args, **kwargs) if type(obj) is Macro else obj(*args, **kwargs)


@cache
def templates() -> Environment:
    """Return the templates of the portal."""
    found = Environment(
        loader=PackageLoader("thresher.portal"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.context_class = LeanContext
    found.globals.update(
        asset={name: asset.address for name, asset in assets().items()},
        languages=LANGUAGES,
        topic_address=topic_address,
        site_address=site_address,
        page_name=page_name,
        isnan=math.isnan,
        urlencode=urlencode,
    )
    found.filters["path_parts"] = path_parts
    return found


def prepare() -> None:
    """Compile the templates of the most visited pages, so that no reader waits for it."""
    for name in ("home.html", "topics.html", "topic.html", "new.html", "site.html", "document.html"):
        templates().get_template(name)
    for name in ("search.html", "search_results.html"):
        templates().get_template(name)


def badge(language: str, probability: float | None) -> Markup:
    """Return the word for a probability with its five steps, or nothing if there is no probability."""
    told = None if probability is None else sureness(probability)
    return _badge(language, told, round(100 * (probability or 0.0))) if told else Markup()


@lru_cache(maxsize=1000)
def _badge(language: str, told: Sureness, percent: int) -> Markup:
    return _macro("sure.html", "badge")(messages_in(language).say, told, percent)


def fault_told(say: Callable[..., Markup], fault: WorkFault) -> Markup:
    """Return the message about an error, followed by the error's own sentence if that adds something."""
    return _macro("work_macros.html", "said")(say, fault)


@cache
def _macro(template: str, name: str) -> Callable[..., Markup]:
    """Return a macro of a template; calling it is much faster than rendering a template."""
    found: Callable[..., Markup] = getattr(templates().get_template(template).module, name)
    return found
