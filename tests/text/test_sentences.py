"""Sentences as people write them, in many scripts; whatever the text, nothing is lost and nothing is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.text.sentences import LONGEST, sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Mr. J. S. Bach wrote it. He did.", ["Mr. J. S. Bach wrote it.", "He did."]),
        ("Boats, e.g. dhows, sail. They float.", ["Boats, e.g. dhows, sail.", "They float."]),
        ("It costs 3.50 in all. Cheap.", ["It costs 3.50 in all.", "Cheap."]),
        ("See www.boats.test for more. Bye.", ["See www.boats.test for more.", "Bye."]),
        ("He said “no.” She went.", ["He said “no.”", "She went."]),
        ("So what... he said. Then?", ["So what... he said.", "Then?"]),
        ("A small firm.  and so on. Yes.", ["A small firm.  and so on.", "Yes."]),
        ("Gegen 10 Uhr usw. Danach kam er.", ["Gegen 10 Uhr usw. Danach kam er."]),
        ("Он ушёл. Она осталась.", ["Он ушёл.", "Она осталась."]),
        ("船が走る。「海だ。」彼は言った。", ["船が走る。", "「海だ。」", "彼は言った。"]),
        ("هل أبحر؟ نعم.", ["هل أبحر؟", "نعم."]),
        ("नाव चलती है। समुद्र बड़ा है।", ["नाव चलती है।", "समुद्र बड़ा है।"]),
        ("A heading\nA sentence.\n\n", ["A heading", "A sentence."]),
        ("", []),
        ("   \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, found: list[str]) -> None:
    assert sentences(text) == found


def test_what_has_no_end_is_cut_at_a_blank() -> None:
    menu = " ".join(f"item{number}" for number in range(200))
    found = sentences(menu)
    assert len(found) > 1
    assert " ".join(found) == menu


def test_what_has_no_blank_either_is_cut_anywhere() -> None:
    assert sentences("x" * (2 * LONGEST + 1)) == ["x" * LONGEST, "x" * LONGEST, "x"]


@given(st.text(st.sampled_from("aB .!?。؟\n'”-") | st.characters(), max_size=400))
def test_nothing_is_lost_but_blanks(text: str) -> None:
    found = sentences(text)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence and sentence == sentence.strip() and len(sentence) <= LONGEST for sentence in found)
