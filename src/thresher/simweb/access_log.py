"""The access log of a served web: one JSON object per line, each written to the file as soon as it is known."""

import os
from collections import Counter
from pathlib import Path

import msgspec
from msgspec import Struct

from thresher.errors import InputError


class Access(Struct, frozen=True, kw_only=True):
    """One request. Times are wall time in seconds; `answered` is None and `status` 0 if the client left first.

    `in_progress` counts the other requests to the host in progress when this one arrived, and `bytes` the bytes of the
    body that were sent.
    """

    received: float
    answered: float | None
    host: str
    target: str
    status: int
    agent: str
    bytes: int
    in_progress: int


class AccessLog:
    """Writes accesses to a file, line by line and unbuffered, so killing either side loses none.

    An existing file is appended to. Raises InputError if it cannot be opened.
    """

    def __init__(self, path: Path | str) -> None:
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            raise InputError(
                f"The access log {path} cannot be written: {error.strerror}.", "Choose a file in an existing folder."
            ) from error
        self._encoder = msgspec.json.Encoder()

    def write(self, access: Access) -> None:
        """Add a line."""
        os.write(self._file, self._encoder.encode(access) + b"\n")

    def close(self) -> None:
        """Close the file; nothing can be written afterwards."""
        os.close(self._file)


class InProgress:
    """Counts the requests to each host that have arrived and are not yet answered."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def arrive(self, host: str) -> int:
        """Count a request and return how many others were in progress before it."""
        self._counts[host] += 1
        return self._counts[host] - 1

    def leave(self, host: str) -> None:
        """Remove a request from the count."""
        self._counts[host] -= 1
        if not self._counts[host]:
            del self._counts[host]


def read_log(path: Path | str) -> list[Access]:
    """Return the accesses in a log in order of arrival; a last line truncated by a kill is skipped."""
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(
            f"The access log {path} cannot be read: {error.strerror}.", "Check the file's name."
        ) from error
    decoder = msgspec.json.Decoder(Access)
    accesses = []
    for number, line in enumerate(lines, 1):
        try:
            if line:
                accesses.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            if number < len(lines):
                raise InputError(
                    f"Line {number} of {path} is not a line of an access log.",
                    "Give a file written by `thresher web serve --log`.",
                ) from error
    return sorted(accesses, key=lambda access: access.received)
