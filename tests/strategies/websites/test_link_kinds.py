"""Kinds of links: the tag path is what a bandit tries, and what it learned holds for other sites."""

from thresher.documents.analyse import Reader
from thresher.strategies.websites.link_kinds import MOST_TOKENS, LinkOrder, tokens_of
from thresher.types import Fetched, ParsedPage

TEXT = "<p>" + "some words of ordinary text " * 20


def page(markup: str, url: str = "http://a.test/") -> ParsedPage:
    body = markup.encode()
    read = Reader("en").read(Fetched(url=url, status=200, headers=[], body=body, raw=body, mime="text/html", at=0.0))
    assert isinstance(read, ParsedPage)
    return read


def tokens(markup: str) -> list[tuple[int, ...]]:
    read = page(markup)
    return tokens_of(read, read.links)


def test_the_first_token_is_the_tag_path() -> None:
    menu, other_menu, text = tokens(
        "<nav><ul><li><a href=/a>one</a><li><b><a href=/b>two</a></b></ul></nav><p>text <a href=/c>one</a>"
    )
    assert menu[0] == other_menu[0]
    assert menu[0] != text[0]


def test_tokens_are_bounded_and_distinct() -> None:
    long = "/".join(f"word{letter}" for letter in "abcdefghij")
    (found,) = tokens(f"<p><a href=/{long}?x=1>{' '.join(f'name{letter}' for letter in 'abcdefghij')}</a>")
    assert len(found) == len(set(found)) == MOST_TOKENS


def test_a_path_learned_on_one_site_orders_the_links_of_another() -> None:
    order = LinkOrder()
    for number in range(20):
        menu, note = tokens(
            f"{TEXT}<nav><div><a href=/a{number}>x{number}</a></div></nav>"
            f"<aside><div><a href=/b{number}>y{number}</a></div></aside>{TEXT}"
        )
        order.learn(menu, 1.0)
        order.learn(note, 0.0)
    note, menu = tokens(
        f"{TEXT}<aside><div><a href=/q>unseen</a></div></aside><nav><div><a href=/r>new</a></div></nav>{TEXT}"
    )
    assert note[1] == menu[1], "both stand at the same kind of place"
    assert order.score(menu) > order.score(note)


def test_an_untried_path_gets_a_bonus() -> None:
    order = LinkOrder()
    for _ in range(50):
        order.learn((1, 5), 0.5)
    assert order.score((2, 5)) > order.score((1, 5))
