"""Features: what a strategy reads of a page comes back in its own type, and what does not fit is told in a sentence."""

from typing import Any

import msgspec
import pytest

from thresher.errors import PluginError
from thresher.reading.features import read_features, unpacked
from thresher.types import Link, ParsedPage

PAGE = ParsedPage(url="http://a.test/", title="", words=["a"], links=[Link("http://b.test/", "b", 0, 1)])


class Point(msgspec.Struct, frozen=True):
    """Something that MessagePack knows nothing of."""

    near: float
    name: str = ""
    tags: tuple[int, ...] = ()


class Reads:
    """A strategy that reads what it was made with; its kinds differ in what they say they return."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def rank(self, reading: Any, view: Any) -> list[Any]:
        return []

    def read(self, page: ParsedPage, judgement: Any):  # type: ignore[no-untyped-def]
        return self.value


class ReadsPoints(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> list[Point]:
        return self.value


class ReadsMaybe(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> "Point | None":
        return self.value


class ReadsNumbers(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> list[float]:
        return self.value


class ReadsUnknown(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> "Nowhere":  # type: ignore[name-defined]  # noqa: F821
        return self.value


class ReadsObjects(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> Reads:
        return self.value


class Fails(Reads):
    def read(self, page: ParsedPage, judgement: Any) -> float:
        return 1 / self.value


def round_trip(strategy: Reads) -> Any:
    return unpacked(strategy, read_features(strategy, PAGE, None))


@pytest.mark.parametrize(
    ("strategy", "found"),
    [
        (ReadsPoints([Point(0.5, "x", (1, 2)), Point(1.0)]), [Point(0.5, "x", (1, 2)), Point(1.0)]),
        (ReadsPoints([]), []),
        (ReadsMaybe(Point(2.0)), Point(2.0)),
        (ReadsMaybe(None), None),
        (ReadsNumbers((1, 2.5)), [1.0, 2.5]),
        (ReadsNumbers([float("inf")]), [float("inf")]),
        (Reads({"a": (1, "ä")}), {"a": [1, "ä"]}),
        (Reads(0), 0),
        (Reads(None), None),
    ],
)
def test_features_come_back_in_the_type_that_read_declares(strategy: Reads, found: Any) -> None:
    assert round_trip(strategy) == found
    assert type(round_trip(strategy)) is type(found)


@pytest.mark.parametrize(
    ("strategy", "sentence", "remedy"),
    [
        (ReadsNumbers(["x"]), "does not return the type it declares: Expected `float`", "Fix the method"),
        (ReadsPoints([Point("near")]), "does not return the type it declares", "Fix the method"),  # type: ignore[arg-type]
        (Reads(Reads(0)), "cannot be serialised", "msgspec structs"),
        (Reads(2**70), "cannot be serialised", "msgspec structs"),
        (ReadsUnknown(1), "'Nowhere' is not defined", "when the module is loaded"),
        (ReadsObjects(1), "does not return the type it declares|cannot be used", ""),
        (Fails(0), "failed to read http://a.test/: ZeroDivisionError", "Fix its read method"),
    ],
)
def test_what_does_not_fit_is_told_in_a_sentence(strategy: Reads, sentence: str, remedy: str) -> None:
    with pytest.raises(PluginError, match=sentence) as caught:
        round_trip(strategy)
    assert remedy in caught.value.remedy
    assert type(strategy).__name__ in caught.value.sentence
