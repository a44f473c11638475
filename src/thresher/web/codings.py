"""Content codings of HTTP undone under a limit: gzip and deflate, alone or stacked.

The crawler decodes by itself so that a few bytes cannot become many gigabytes: nothing beyond the limit is ever
decoded, in no stage of a stack.
"""

import zlib
from typing import Final

from thresher.reasons import Reason

ACCEPT: Final = "gzip, deflate"
"""What to ask servers for."""

MAX_CODINGS: Final = 3
MAX_MEMBERS: Final = 1000
_BLOCK: Final = 1 << 16
_NAMES: Final = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate", "identity": "identity", "": "identity"}


class _Stage:
    """One coding: takes bytes, gives decoded blocks, and knows whether its stream is complete."""

    def __init__(self, name: str) -> None:
        self._gzip = name == "gzip"
        self._stream: zlib._Decompress | None = None
        self._waiting = b""
        self._members = 0
        self.done = False

    def feed(self, data: bytes, limit: int) -> list[bytes]:
        """Return what the data decodes to, a block more than `limit` bytes at most; raises zlib.error."""
        out: list[bytes] = []
        data = self._waiting + data
        self._waiting = b""
        full = False
        # A block that was filled may leave output inside of the stream although all input is taken.
        while (data or full) and limit >= 0:
            if self.done and not self._goes_on(data):
                break
            if self._stream is None and len(data) < 2:
                self._waiting = data
                break
            stream = self._stream = self._stream or self._open(data)
            block = stream.decompress(data, _BLOCK)
            full = len(block) == _BLOCK
            limit -= len(block)
            out.append(block)
            data = stream.unconsumed_tail
            if stream.eof:
                data, full, self.done, self._stream = stream.unused_data, False, True, None
        return out

    def _goes_on(self, data: bytes) -> bool:
        """Tell whether another gzip member follows; anything else after the end is padding."""
        if not self._gzip or not data.startswith(b"\x1f\x8b"[: len(data)]):
            return False
        self._members += 1
        if self._members > MAX_MEMBERS:
            raise zlib.error("too many members")
        self.done = False
        return True

    def _open(self, data: bytes) -> "zlib._Decompress":
        if self._gzip:
            return zlib.decompressobj(31)
        # Deflate means the zlib format, but many servers send the bare stream.
        wrapped = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
        return zlib.decompressobj(15 if wrapped else -15)


class Decoder:
    """Undoes the codings of one body of at most `limit` bytes, counted before and after decoding.

    >>> decoder = Decoder("gzip", limit=1000)
    >>> import gzip
    >>> decoder.feed(gzip.compress(b"hello")), decoder.finish()
    (None, b'hello')
    """

    def __init__(self, content_encoding: str, limit: int) -> None:
        names = [_NAMES.get(name.strip().lower()) for name in content_encoding.split(",")]
        self.failure = Reason.BAD_CODING if None in names or len(names) > MAX_CODINGS else None
        self._stages = [_Stage(name) for name in reversed(names) if name not in (None, "identity")]
        self._limit = limit
        self._room = [limit] * len(self._stages)
        self._received = 0
        self._blocks: list[bytes] = []

    @property
    def plain(self) -> bool:
        """Whether the body has no coding at all."""
        return not self._stages

    def feed(self, data: bytes) -> Reason | None:
        """Take received bytes; return why the body cannot be used, None as long as it can."""
        if self.failure is not None:
            return self.failure
        self._received += len(data)
        try:
            self._pass_on([data[: len(data) - max(0, self._received - self._limit)]], 0)
        except zlib.error:
            self.failure = Reason.BAD_CODING
        if self._received > self._limit:
            self.failure = self.failure or Reason.BODY_TOO_LARGE
        return self.failure

    def _pass_on(self, blocks: list[bytes], stage: int) -> None:
        if stage == len(self._stages):
            self._blocks += blocks
            return
        for block in blocks:
            decoded = self._stages[stage].feed(block, self._room[stage])
            self._room[stage] -= sum(map(len, decoded))
            self._pass_on(decoded, stage + 1)
            if self._room[stage] < 0:
                self.failure = Reason.BODY_TOO_LARGE
            if self.failure:
                return

    def finish(self) -> bytes | Reason:
        """Return the decoded body, or why it cannot be used; a stream that breaks off is a bad coding."""
        if self.failure is None and self._received and not all(stage.done for stage in self._stages):
            self.failure = Reason.BAD_CODING
        return self.failure or b"".join(self._blocks)

    def cut(self) -> bytes | Reason:
        """Return the decoded body up to the limit, however long it was; for bodies whose beginning is enough."""
        if self.failure is Reason.BODY_TOO_LARGE:
            return b"".join(self._blocks)[: self._limit]
        return self.finish()
