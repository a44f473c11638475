"""The story of a site on the screen, for `thresher sites show` and `thresher explain --site`."""

from contextlib import closing
from pathlib import Path

from thresher.cli.output import console, print_json
from thresher.cli.screen import bold, dim
from thresher.errors import InputError, command
from thresher.runs.site_explanation import SiteExplanation, as_data, explain_site, sentence
from thresher.store.crawl_history import newest_of
from thresher.store.protocol import Store
from thresher.store.records import CrawlKind, CrawlRow
from thresher.store.repository import open_store
from thresher.web.site_names import site_of
from thresher.web.urls import canonical


def require_run(portal: Path, store: Store) -> CrawlRow:
    """Return the newest run for sites of a portal; raises InputError where there was none."""
    crawl = newest_of(store, CrawlKind.SITES)
    if crawl is None:
        raise InputError(f"{portal} has not looked for sites yet.", f"Look for some: {command('sites', portal, 'run')}")
    return crawl


def require_story(portal: Path, store: Store, crawl: CrawlRow, named: str) -> SiteExplanation:
    """Return the story of a site by its name or an address of it; raises InputError where it was never met."""
    address = canonical(named) if "://" in named else None
    for site in (named, site_of(address) if address else "", site_of(f"http://{named}/")):
        told = explain_site(store, crawl, site) if site else None
        if told is not None:
            return told
    raise InputError(
        f"The last run has not met the site {named[:200]}.", f"List all: {command('sites', portal, 'list', '--all')}"
    )


def show_site(portal: Path, site: str, json: bool) -> None:
    """Print what the latest run for sites knows about a site, as text or as one JSON object."""
    with closing(open_store(portal, read_only=True)) as store:
        told = require_story(portal, store, require_run(portal, store), site)
    if json:
        print_json(as_data(told))
    else:
        print_story(told)


def print_story(told: SiteExplanation) -> None:
    """Print what was read of a site, what it said, and why the crawl left it."""
    out = console()
    out.print(bold(told.row.site), f"  {told.row.home}")
    out.print(f"  {sentence(told)}")
    if told.verdict is not None:
        said = "accepted" if told.verdict.accepted else "rejected"
        out.print(f"  You have {said} it for {told.verdict.topic}.")
    if told.found_on:
        out.print(f"  found on  {told.found_on}")
    if told.words:
        out.print(f"  words     {', '.join(told.words)}")
    for number, page in enumerate(told.pages, 1):
        said = "says too little" if page.relevance is None else f"on topic {page.relevance:.2f}"
        mark = " *" if page.url in told.best else ""
        out.print(
            f"  {number:3}  {said:15}  then {page.posterior:.2f}  ", page.title or page.url, dim(f"  {page.url}{mark}")
        )
