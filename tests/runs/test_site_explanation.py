"""What is said about a site in one sentence."""

import pytest

from thresher.runs.site_explanation import LEFT, SiteExplanation
from thresher.site_types import SiteEnd, SiteRow, SiteState


def told(state: SiteState, pages: int, topic: str = "boats", end: SiteEnd | None = None) -> str:
    row = SiteRow(site="a.test", home="http://a.test/", topic=topic, posterior=0.912, pages=pages, state=state, end=end)
    left = LEFT[end] if end is not None else "it is still being read"
    return SiteExplanation(row=row, pages=[], best=[], words=[], why_left=left, found_on="").sentence()


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (
            told(SiteState.RELEVANT, 3, end=SiteEnd.NO_PAGES),
            "Relevant: boats with a probability of 0.91, after 3 pages; left because it had no more pages.",
        ),
        (
            told(SiteState.IRRELEVANT, 1, "", SiteEnd.NO_PAGES),
            "Not relevant: no topic: it has no text, after 1 page; left because it had no more pages.",
        ),
        (told(SiteState.OPEN, 1), "Still being read: boats with a probability of 0.91 after 1 page."),
        (told(SiteState.OPEN, 2, ""), "Still being read: too little text after 2 pages."),
    ],
)
def test_the_sentence_fits_the_state_of_the_site(said: str, wanted: str) -> None:
    assert said == wanted
