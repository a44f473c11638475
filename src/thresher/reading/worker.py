"""A worker process: reads framed MessagePack from its input, analyses, and writes framed MessagePack back.

Started as `python -m thresher.reading.worker FACTORY`, where FACTORY is a dotted path `module:function`. The first
frame is the JSON passed to the function, which must return a `PageAnalyser`. The process ends when its input ends, so
no worker outlives its crawler.
"""

import importlib
import os
import resource
import signal
import struct
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from thresher.documents.sandbox_frames import read_frame, write_frame
from thresher.errors import PluginError
from thresher.reading.analysis import Analysis, PageAnalyser
from thresher.types import Failed, Fetched, ParsedPage

MEMORY = 4 << 30
"""Address space a worker may use, in bytes."""


WORN_OUT: Final = 192 << 20
"""Memory, in bytes, beyond which a worker asks to be replaced: memory used for large pages is not released."""

TRAILER: Final = struct.Struct(">d?")
"""Follows the result of a page: the seconds it took, and whether the worker asks to be replaced."""

_KILO: Final = 1 if sys.platform == "darwin" else 1024
"""Unit, in bytes, in which the system reports the peak memory of a process."""

_STATM: Final = Path("/proc/self/statm")


class Broken(msgspec.Struct, frozen=True, tag=True):
    """A plug-in failed: the message and the advice for the user."""

    sentence: str
    remedy: str


def serve(analyser: PageAnalyser, source: BinaryIO, sink: BinaryIO) -> None:
    """Analyse page after page until the input ends."""
    decoder: msgspec.msgpack.Decoder[Fetched | ParsedPage] = msgspec.msgpack.Decoder(Fetched | ParsedPage)
    encoder = msgspec.msgpack.Encoder()
    while (frame := read_frame(source)) is not None:
        began = time.monotonic()
        page = decoder.decode(frame)
        # Keep only one copy of a large page in memory while it is read.
        del frame
        try:
            result: Analysis | Failed | Broken = analyser.run(page)
        except PluginError as error:
            result = Broken(error.sentence, error.remedy)
        del page
        packed = encoder.encode(result)
        del result
        write_frame(sink, packed + TRAILER.pack(time.monotonic() - began, is_worn_out()))
        del packed


def is_worn_out() -> bool:
    """Return whether this process uses too much memory, or ever did if the system does not report current use."""
    # Few workers get this far, and this check takes a thirtieth of the time of reading the current use.
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KILO <= WORN_OUT:
        return False
    try:
        return int(_STATM.read_bytes().split()[1]) * resource.getpagesize() > WORN_OUT
    except OSError:
        return True


def main() -> None:
    """Build the analyser named on the command line and serve it on the standard streams."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    # Keep anything a plug-in prints out of the frames.
    os.dup2(2, 1)
    module, _, name = sys.argv[1].partition(":")
    factory = getattr(importlib.import_module(module), name)
    recipe = read_frame(source)
    if recipe is not None:
        analyser: PageAnalyser = factory(recipe)
        write_frame(sink, b"")
        serve(analyser, source, sink)


if __name__ == "__main__":
    # The crawl may end while a worker starts or reads; nobody is left to notify.
    with suppress(BrokenPipeError):
        main()
