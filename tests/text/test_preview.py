"""Previews: the sentences that tell most of a topic, in their order."""

from hypothesis import given
from hypothesis import strategies as st

from thresher.text.preview import FIRST, GAP, LOOKED_AT, preview
from thresher.text.sentences import sentences

WEIGHTS = {"boat": 2.0, "sail": 1.0, "wind": 0.5}


def test_the_best_sentences_come_in_their_own_order() -> None:
    text = "We are a small firm. Wind drives a sail. Nothing to see here. Boats sail by the wind."
    assert preview(text, WEIGHTS, "en", 2) == "Wind drives a sail. … Boats sail by the wind."


def test_sentences_that_follow_each_other_have_no_gap() -> None:
    text = "Wind drives a sail. Boats sail by the wind. Nothing to see here."
    assert preview(text, WEIGHTS, "en", 2) == "Wind drives a sail. Boats sail by the wind."


def test_repeating_a_word_pays_nothing() -> None:
    text = "Boat boat boat boat boat boat. Boats sail by the wind."
    assert preview(text, WEIGHTS, "en", 1) == "Boats sail by the wind."


def test_menus_are_shown_only_where_there_is_nothing_else() -> None:
    assert preview("Boats Sails Wind\nThis is a short page.", WEIGHTS, "en", 1) == "This is a short page."
    assert preview("Boats Sails", WEIGHTS, "en", 1) == "Boats Sails"


def test_prose_goes_before_listings_however_many_telling_words_these_have() -> None:
    text = "boat_sail = /etc/wind 3 sail_wind = hash:/boat 4\nA boat is a thing.\nwind: 5 sail: 6 boat: 7 x: 8"
    assert preview(text, WEIGHTS, "en", 1) == "A boat is a thing."
    assert preview("boat_sail = /etc/wind 3 sail\nNothing is said here.", WEIGHTS, "en", 1).startswith("boat_sail")


def test_the_same_sentence_is_told_once() -> None:
    text = "Boats sail by the wind.\nBoats sail by the wind.\nA word of something else."
    assert preview(text, WEIGHTS, "en", 2) == "Boats sail by the wind. … A word of something else."


def test_without_weights_a_page_is_told_from_its_beginning() -> None:
    text = "One two three four. Five six seven eight. Boats sail by the wind."
    assert preview(text, {}, "en", 2) == "One two three four. Five six seven eight."


def test_without_weights_a_long_menu_does_not_hide_the_sentences_behind_it() -> None:
    menu = "\n".join(f"Entry {number}" for number in range(FIRST[-1] // 8))
    text = f"{menu}\nOne two three four.\nFive six seven eight.\n{'More words that follow. ' * 100}"
    assert preview(text, {}, "en", 2) == "One two three four. Five six seven eight."


@given(st.lists(st.sampled_from(["One two three four. ", "Short. ", "Aa bb cc dd e.g. ", "Menu\n", "x" * 350 + " "])))
def test_the_first_sentences_do_not_depend_on_how_much_was_looked_at(pieces: list[str]) -> None:
    text = "".join(f"{piece[:-1]}{number}{piece[-1]}" for number, piece in enumerate(pieces * 20))
    nothing = {"no such word": 1.0}
    assert preview(text, {}, "en", 3) == preview(text, nothing, "en", 3)


def test_stems_are_those_of_the_language() -> None:
    text = "Das ist ein Satz davon. Viele Häuser stehen am Meer. Noch ein Satz hier."
    assert preview(text, {"haus": 1.0}, "de", 1) == "Viele Häuser stehen am Meer."


def test_scripts_without_blanks_have_previews_too() -> None:
    text = "今日は天気がいい。帆船が海を走る。明日も行く。"
    assert preview(text, {"帆船": 1.0}, "ja", 1) == "帆船が海を走る。"


def test_a_gap_is_where_something_stands_between_also_something_told_elsewhere() -> None:
    text = "Aa bb cc dd. Xx yy zz boat. Aa bb cc dd. Ee ff gg boat."
    assert preview(text, WEIGHTS, "en", 2) == "Xx yy zz boat. … Ee ff gg boat."


def test_a_sentence_that_is_cut_off_is_not_told() -> None:
    text = "Some words to begin. " * (LOOKED_AT // 21) + "Boats sail by the wind to many lands far away."
    assert preview(text, WEIGHTS, "en", 1) == "Some words to begin."


def test_text_far_down_is_not_looked_at() -> None:
    text = "Some words to begin with. " * (LOOKED_AT // 20) + "Boats sail by the wind."
    assert "Boats" not in preview(text, WEIGHTS, "en", 3)


@given(st.text(max_size=300), st.dictionaries(st.text(max_size=5), st.floats(0, 5), max_size=5), st.integers(0, 5))
def test_a_preview_is_made_of_sentences_of_the_text(text: str, weights: dict[str, float], number: int) -> None:
    found = preview(text, weights, "en", number)
    known = set(sentences(text))
    chosen = min(number, len(known))
    assert bool(found) == bool(chosen)
    assert all(found.startswith(one) or f" {one}" in found for one in known if chosen == len(known))
    assert found.count(GAP) < max(chosen, 1) or GAP in text


def test_a_menu_comes_after_sentences_however_telling_it_is() -> None:
    text = "Boats and sails | Sailing boats for sale | Boat wind and sail. We sell hats here today. A boat needs wind."
    assert preview(text, WEIGHTS, "en", 2) == "We sell hats here today. A boat needs wind."


def test_menus_are_passed_over_however_far_the_first_sentences_are() -> None:
    menu = "\n".join(f"Home {number} | News today | Contact us | More" for number in range(FIRST[-1] // 40))
    text = f"{menu}\nOne two three four. Five six seven eight."
    assert preview(text, {}, "en", 2) == "One two three four. Five six seven eight."
