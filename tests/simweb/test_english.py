"""Webs in real English: they read as English, and are planned like any other generated web."""

import re
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.documents.analyse import Reader
from thresher.errors import InputError
from thresher.simweb.answers import answer
from thresher.simweb.english import English, Saying
from thresher.simweb.file_pages import form_of
from thresher.simweb.inflection import participle, past, plural, with_articles
from thresher.simweb.lexicon import SLOTS, lexicon
from thresher.simweb.manifest import digest, load, write
from thresher.simweb.pages import PageKind
from thresher.simweb.parameters import WebParameters
from thresher.simweb.render import render
from thresher.simweb.site_names import slug
from thresher.simweb.web import Web
from thresher.types import Fetched, ParsedPage
from thresher.web.urls import canonical

from .reading import html, links_of, text_of

PARAMETERS = WebParameters(pages=1200, hosts=40, seed=5, words="english", languages=("en", "de"), documents=0.1)
ENGLISH = English(2, 3, ("en", "de"))
LEFT_OVER = re.compile(r"[\[\]{}]|\(n\)|  |\ba [aeio]|\ban [bcdfgjklmnpqrstvwz]", re.IGNORECASE)


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(PARAMETERS)


def shown(web: Web, *kinds: PageKind) -> list[int]:
    return [int(page) for page in np.flatnonzero(web.pages.is_kind(*kinds) & (web.pages.status == 200))]


@pytest.mark.parametrize(
    "wrong",
    [{"languages": ("en", "de", "fr")}, {"languages": ("de",)}, {"depth": 3}, {"breadth": 4}, {"words": "latin"}],
)
def test_what_there_are_no_words_for_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        WebParameters(**{"words": "english", "languages": ("en",), **wrong})


def test_every_topic_has_several_hundred_typed_words() -> None:
    for family in lexicon().topics:
        parent, *others = family
        for theme in others:
            assert sum(len(theme.words[kind]) + len(parent.words[kind]) for kind in theme.words) >= 300
            assert len(set(theme.brands)) == len(theme.brands) >= 5
    for theme in (theme for family in lexicon().topics for theme in family):
        for kind, entries in theme.words.items():
            forms = 3 if kind == "act" else 2 if kind in ("key", "thing", "person") else 1
            assert all(len(entry) == forms for entry in entries)
            assert len(set(entries)) == len(entries)


def test_templates_name_slots_that_can_be_filled() -> None:
    named = {"name", "surname", "village", "month", "weekday", "number"}
    for manner in lexicon().manners.values():
        for templates in manner.templates.values():
            assert {slot for template in templates for slot in template[1::2]} <= {*SLOTS, *named}


@pytest.mark.parametrize(
    ("inflect", "word", "form"),
    [
        (plural, "match", "matches"),
        (plural, "day", "days"),
        (participle, "de-ice the fan", "de-icing the fan"),
        (participle, "plan a trip", "planning a trip"),
        (past, "mow the lawn", "mowed the lawn"),
        (past, "dry out the wall", "dried out the wall"),
        (with_articles, "a(n) hour, A(n) iced-up unit, a(n) used boat", "a hour, An iced-up unit, a used boat"),
    ],
)
def test_inflection(inflect, word, form) -> None:
    assert inflect(word) == form


@settings(max_examples=60, deadline=None)
@given(
    theme=st.integers(-1, len(ENGLISH.themes) - 1),
    second=st.integers(-1, 19),
    places=st.tuples(*[st.integers(0, 4095)] * 3),
    strength=st.floats(0, 0.5),
    seed=st.integers(0, 2**32),
)
def test_titles_and_sentences_are_whole(theme, second, places, strength, seed) -> None:
    language = ENGLISH.language[theme] if theme >= 0 else "en"
    second = second if language == "en" else -1
    title = ENGLISH.title(theme, language, places)
    assert title == ENGLISH.title(theme, language, places)
    saying = Saying(theme, strength, second, strength / 3, 120, notice=theme < 0)
    said = ENGLISH.sentences(saying, language, title, "The Bee Yard", Random(seed))
    assert said == ENGLISH.sentences(saying, language, title, "The Bee Yard", Random(seed))
    for text in (title.text, *said):
        assert text[0].isupper() or text[0].isdigit()
        if language == "en":
            assert not LEFT_OVER.search(text), text
    assert all(sentence.endswith((".", "!", "?")) for sentence in said)


def test_a_page_repeats_the_words_of_its_title(web: Web) -> None:
    told = []
    for page in shown(web, PageKind.CONTENT)[::15]:
        if web.pages.topic[page] >= 0 and form_of(web, page) == "html" and web.pages.strength[page] > 0.2:
            title = web.vocabulary.english.title(int(web.pages.theme[page]), "en", web.pages.title[page].tolist())
            words = [forms[0].lower() for forms in title.words.get("matter", title.words.get("key", ()))]
            text = text_of(html(web, page)).lower()
            told += [text.count(word) > 2 for word in words]
    assert np.mean(told) > 0.8


@pytest.mark.parametrize("size", [(60, 5), (200, 40), (3000, 400)])
@pytest.mark.parametrize("shape", [(1, 2), (2, 3)])
def test_webs_of_any_size_hold_together(size: tuple[int, int], shape: tuple[int, int]) -> None:
    made = Web(
        WebParameters(
            pages=size[0],
            hosts=size[1],
            seed=2,
            words="english",
            languages=("en", "de"),
            depth=shape[0],
            breadth=shape[1],
        )
    )
    assert len({host.name for host in made.hosts}) == size[1]
    assert len(set(made.urls)) == size[0]
    assert all(canonical(url) == url for url in made.urls)
    assert len(made.topics()) == made.parameters.topics


def test_a_saved_web_is_planned_again(web: Web, tmp_path) -> None:
    write(web, tmp_path)
    again = load(tmp_path)
    assert digest(again) == digest(web)
    assert all(render(again, page) == render(web, page) for page in shown(web, PageKind.CONTENT)[:40])


def test_the_links_of_a_page_are_those_of_the_plan(web: Web) -> None:
    for page in shown(web, PageKind.CONTENT, PageKind.NOISE, PageKind.WELCOME, PageKind.HUB, PageKind.NEAR_DUPLICATE)[
        ::9
    ]:
        if web.hosts[int(web.pages.host[page])].trap != "session":
            found = links_of(html(web, page), web.urls[page])
            assert sorted(url for url, _, _ in found) == sorted(web.urls[target] for target in web.links(page))


def test_mirrors_equal_their_originals_and_near_duplicates_nearly(web: Web) -> None:
    for page in shown(web, PageKind.MIRROR):
        assert render(web, page) == render(web, int(web.pages.original[page]))
    for page in shown(web, PageKind.NEAR_DUPLICATE):
        words, original = (text_of(html(web, one)).split() for one in (page, int(web.pages.original[page])))
        assert len(words) == len(original)
        assert 0 < sum(a != b for a, b in zip(words, original, strict=True)) < 0.12 * len(words)


def test_host_names_and_addresses_tell_what_a_site_is_about(web: Web) -> None:
    for host in web.hosts:
        assert host.title[0].isupper()
        if host.mirror_of < 0 and not host.name[-6].isdigit():
            assert slug(host.brand).replace("-", "") in host.name.replace("-", "")
    assert any("/beekeeping/" in url or "section=beekeeping" in url for url in web.urls)


def test_files_say_what_pages_say(web: Web) -> None:
    reader = Reader()
    pages = [page for page in shown(web, PageKind.CONTENT) if form_of(web, page) in ("pdf", "docx")]
    for page in pages[:6]:
        url = web.urls[page]
        host = url.split("/")[2]
        told = answer(web, "GET", host, url[len(f"http://{host}") :], 100.0)
        mime = dict(told.headers)["Content-Type"]
        found = reader.open(
            Fetched(url=url, status=200, headers=told.headers, body=told.body, raw=told.body, mime=mime, at=0.0)
        )
        assert isinstance(found, ParsedPage)
        title = web.vocabulary.english.title(int(web.pages.theme[page]), "en", web.pages.title[page].tolist())
        assert title.text.split()[0] in found.title
    reader.close()
