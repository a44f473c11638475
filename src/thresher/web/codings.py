"""Decodes HTTP content codings under a size limit: gzip, deflate, Brotli and Zstandard, alone or stacked.

The crawler decodes by itself so that a few bytes cannot become many gigabytes: nothing beyond the limit is ever
decoded, at any stage of a stack.
"""

import zlib
from collections.abc import Callable
from typing import Final, NamedTuple

from thresher.reasons import Reason
from thresher.web.decompression import (
    ERRORS,
    Brotli,
    Inflate,
    Stream,
    Zstandard,
    another_brotli,
    another_gzip,
    another_zstandard,
    open_deflate,
)

ACCEPT: Final = "gzip, deflate, br, zstd"
"""The Accept-Encoding sent to servers."""

MAX_CODINGS: Final = 3
MAX_MEMBERS: Final = 1000


class _Coding(NamedTuple):
    """How to open a coding from its first `needs` bytes, and whether bytes after its end begin another stream."""

    open: Callable[[bytes], Stream]
    another: Callable[[bytes], bool]
    needs: int


_GZIP: Final = _Coding(lambda _: Inflate(31), another_gzip, 2)
_CODINGS: Final[dict[str, _Coding | None]] = {
    "gzip": _GZIP,
    "x-gzip": _GZIP,
    "deflate": _Coding(open_deflate, lambda _: False, 2),
    "br": _Coding(lambda _: Brotli(), another_brotli, 1),
    "zstd": _Coding(lambda _: Zstandard(), another_zstandard, 4),
    "identity": None,
    "": None,
}


class _Stage:
    """One coding: takes bytes, returns decoded blocks, and knows whether its stream is complete."""

    def __init__(self, coding: _Coding) -> None:
        self._coding = coding
        self._stream: Stream | None = None
        self._waiting = b""
        self._members = 0
        self.done = False

    def feed(self, data: bytes, limit: int) -> list[bytes]:
        """Return the decoded data, little more than a block beyond `limit` bytes; raise one of `ERRORS`."""
        out: list[bytes] = []
        data, self._waiting = self._waiting + data, b""
        more = False
        while (data or more) and limit >= 0:
            if self._stream is None:
                if len(data) < self._coding.needs:
                    self._waiting = data
                    break
                if self.done and not self._coding.another(data):
                    break
                self._stream = self._open(data)
            block, data, more = self._stream.step(data)
            limit -= len(block)
            out.append(block)
            if self._stream.ended:
                self.done, self._stream = True, None
        return out

    def _open(self, data: bytes) -> Stream:
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise zlib.error("too many members")
        self.done = False
        return self._coding.open(data)


class Decoder:
    """Decodes one body of at most `limit` bytes, counted before and after decoding.

    `failure` says why the body cannot be used, `decoded` counts its decoded bytes; `limit` may be lowered later.

    >>> decoder = Decoder("gzip", limit=1000)
    >>> import gzip
    >>> decoder.feed(gzip.compress(b"hello")), decoder.finish()
    (None, b'hello')
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        names = [name.strip().lower() for name in content_encoding.split(",")]
        known = len(names) <= MAX_CODINGS and all(name in _CODINGS for name in names)
        codings = [_CODINGS[name] for name in reversed(names)] if known else []
        self.failure = None if known else Reason.BAD_CODING
        self._stages = [_Stage(coding) for coding in codings if coding is not None]
        self.limit = limit
        self._room = [limit] * len(self._stages)
        self._received = 0
        self._blocks: list[bytes] = []
        self.decoded = 0

    @property
    def plain(self) -> bool:
        """Whether the body has no coding at all."""
        return not self._stages

    @property
    def held(self) -> int:
        """Bytes in memory: the decoded ones, and the received ones if they differ."""
        return self.decoded + (self._received if self._stages else 0)

    def feed(self, data: bytes) -> Reason | None:
        """Process received bytes; return why the body cannot be used, or None while it can."""
        if self.failure is not None:
            return self.failure
        self._received += len(data)
        try:
            self._pass_on([data[: len(data) - max(0, self._received - self.limit)]], 0)
        except ERRORS:
            self.failure = Reason.BAD_CODING
        if self._received > self.limit:
            self.failure = self.failure or Reason.BODY_TOO_LARGE
        return self.failure

    def _pass_on(self, blocks: list[bytes], stage: int) -> None:
        if stage == len(self._stages):
            self._blocks += blocks
            self.decoded += sum(map(len, blocks))
            return
        for block in blocks:
            decoded = self._stages[stage].feed(block, self._room[stage])
            self._room[stage] -= sum(map(len, decoded))
            self._pass_on(decoded, stage + 1)
            if self._room[stage] < 0:
                self.failure = Reason.BODY_TOO_LARGE
            if self.failure:
                return

    def head(self, size: int) -> bytes:
        """Return the first `size` bytes decoded so far, or fewer if there are fewer."""
        found = b""
        for block in self._blocks:
            found += block[: size - len(found)]
            if len(found) == size:
                break
        return found

    def tighten(self, limit: int) -> Reason | None:
        """Lower the limit while the body is arriving; return why the body cannot be used, or None while it can."""
        less = max(0, self.limit - limit)
        self.limit -= less
        self._room = [room - less for room in self._room]
        if self.failure is None and (self._received > self.limit or any(room < 0 for room in self._room)):
            self.failure = Reason.BODY_TOO_LARGE
        return self.failure

    def finish(self) -> bytes | Reason:
        """Return the decoded body, or why it cannot be used; a stream that breaks off is a bad coding."""
        if self.failure is None and self._received and not all(stage.done for stage in self._stages):
            self.failure = Reason.BAD_CODING
        return self.failure or b"".join(self._blocks)

    def cut(self) -> bytes | Reason:
        """Return the decoded body up to the limit, however long it was; for bodies whose beginning is enough."""
        if self.failure is Reason.BODY_TOO_LARGE:
            return b"".join(self._blocks)[: self.limit]
        return self.finish()


def undone(body: bytes, content_encoding: str, limit: int) -> bytes | Reason:
    """Return a whole body decoded, at most `limit` bytes, or why it cannot be used.

    >>> import gzip
    >>> undone(gzip.compress(b"hello"), "gzip", 1000)
    b'hello'
    """
    decoder = Decoder(content_encoding, limit)
    decoder.feed(body)
    return decoder.finish()
