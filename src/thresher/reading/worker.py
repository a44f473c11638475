"""A worker process: reads framed MessagePack from its input, analyses, and writes framed MessagePack back.

Started as `python -m thresher.reading.worker FACTORY`, where FACTORY is a dotted path `module:function`; the first
frame is the JSON the function is called with and must return a `PageAnalyser`. It ends when its input ends, so that no
worker outlives its crawler.
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
from thresher.types import Failed, Fetched, Page

MEMORY = 4 << 30
"""Address space a worker may use, in bytes."""


WORN_OUT: Final = 192 << 20
"""Memory, in bytes, beyond which a worker asks to be replaced: what large pages leave behind is not given back."""

TRAILER: Final = struct.Struct(">d?")
"""What follows the result of a page: the seconds it took, and whether the worker asks to be replaced."""

_KILO: Final = 1 if sys.platform == "darwin" else 1024
"""Bytes of the unit in which the system says how much memory a process had at most."""

_STATM: Final = Path("/proc/self/statm")


class Broken(msgspec.Struct, frozen=True, tag=True):
    """A plug-in failed: what the coordinator is to say and to advise."""

    sentence: str
    remedy: str


def serve(analyser: PageAnalyser, source: BinaryIO, sink: BinaryIO) -> None:
    """Analyse page after page until the input ends."""
    decoder: msgspec.msgpack.Decoder[Fetched | Page] = msgspec.msgpack.Decoder(Fetched | Page)
    encoder = msgspec.msgpack.Encoder()
    while (frame := read_frame(source)) is not None:
        began = time.monotonic()
        page = decoder.decode(frame)
        # A large page is in memory once while it is read.
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
    """Tell whether this process keeps too much memory; where the system does not say, whether it ever did."""
    # Few workers ever come so far, and this takes a thirtieth of the time that a look at the memory takes.
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
    # Whatever a plug-in prints must not end up between two frames.
    os.dup2(2, 1)
    module, _, name = sys.argv[1].partition(":")
    factory = getattr(importlib.import_module(module), name)
    recipe = read_frame(source)
    if recipe is not None:
        analyser: PageAnalyser = factory(recipe)
        write_frame(sink, b"")
        serve(analyser, source, sink)


if __name__ == "__main__":
    # The crawl may be gone while a worker starts or reads; nobody is left to be told.
    with suppress(BrokenPipeError):
        main()
