"""The protocol between the sandbox and its process: framed MessagePack in both directions."""

import struct
from typing import BinaryIO, Final, TypeAlias

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from thresher.documents.formats.extract import Extract
from thresher.documents.formats.limits import Limits
from thresher.reasons import Reason

FRAME: Final = struct.Struct(">I")


class ReadRequest(Struct, frozen=True):
    """How to read a file, whose bytes are in the next frame.

    The first `skip` of its documents were already read; each may take `seconds` of CPU time.
    """

    mime: str
    url: str
    limits: Limits
    seconds: float
    skip: int = 0


class Begun(Struct, frozen=True, tag=True):
    """A document is being read; any failure that follows is attributed to it."""

    address: str


class Unreadable(Struct, frozen=True, tag=True):
    """A document cannot be read."""

    reason: Reason
    detail: str = ""


class Ended(Struct, frozen=True, tag=True):
    """There are no more documents in the file; `note` says what was left out."""

    note: str = ""


Said: TypeAlias = Begun | Extract | Unreadable | Ended

encode_job: Final = Encoder().encode
decode_job: Final = Decoder(ReadRequest).decode
encode_said: Final = Encoder().encode
_said: Final[Decoder[Said]] = Decoder(Said)
decode_said: Final = _said.decode


def write_frame(stream: BinaryIO, body: bytes) -> None:
    """Write one frame and flush it."""
    stream.write(FRAME.pack(len(body)))
    stream.write(body)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame, or None if the stream has ended."""
    head = stream.read(FRAME.size)
    if len(head) < FRAME.size:
        return None
    (length,) = FRAME.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None
