"""Problems of archive records: a closed list; they are counted, never raised."""

from collections import Counter
from enum import StrEnum
from typing import TypeAlias


class Problem(StrEnum):
    """Why a record of an archive was skipped or only partly read."""

    BROKEN_GZIP = "broken-gzip"
    BAD_HEADER = "bad-header"
    BAD_LENGTH = "bad-length"
    CUT_OFF = "cut-off"
    TOO_LARGE = "too-large"
    BAD_URL = "bad-url"
    BAD_DATE = "bad-date"
    BAD_HTTP = "bad-http"
    BAD_DIGEST = "bad-digest"
    LOST_ORIGINAL = "lost-original"
    NOT_SEEKABLE = "not-seekable"
    GIVEN_UP = "given-up"
    MISSING = "missing"
    UNREADABLE = "unreadable"


MEANING: dict[Problem, str] = {
    Problem.BROKEN_GZIP: "The compressed data is damaged; reading went on with the next record.",
    Problem.BAD_HEADER: "The data does not begin like a record.",
    Problem.BAD_LENGTH: "The record is shorter or longer than it says.",
    Problem.CUT_OFF: "The file ends in the middle of the record.",
    Problem.TOO_LARGE: "The record is larger than the limit.",
    Problem.BAD_URL: "The record has no valid http or https URL.",
    Problem.BAD_DATE: "The record has no readable date; 1970 was assumed.",
    Problem.BAD_HTTP: "The record holds no HTTP answer.",
    Problem.BAD_DIGEST: "The content does not match its digest.",
    Problem.LOST_ORIGINAL: "The record repeats an earlier one that is missing.",
    Problem.NOT_SEEKABLE: "Several records are compressed as one; the archive must be imported to be replayed.",
    Problem.GIVEN_UP: "There was too much damage; the rest of the file was not read.",
    Problem.MISSING: "The file is gone.",
    Problem.UNREADABLE: "The file cannot be read; check its owner and its disk.",
}
"""The meaning of each problem for users; every problem has an entry."""

Problems: TypeAlias = Counter[Problem]
"""How often each problem was seen."""
