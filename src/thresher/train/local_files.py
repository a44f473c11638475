"""Training pages that are local files, read and refused like fetched pages."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from thresher.config.settings import Settings
from thresher.documents.analyse import Reader
from thresher.documents.formats.kinds import by_ending
from thresher.reasons import Reason
from thresher.types import Failed, Fetched, ParsedPage


def is_file(url: str) -> bool:
    """Return whether a training page is a local file."""
    return url.startswith("file:")


def read_file(url: str, reader: Reader, settings: Settings) -> ParsedPage | Failed:
    """Return the page of a file URL, or why there is none; never raise.

    >>> from thresher.config.load import load
    >>> read_file("file:///no/such/page.html", Reader(), load().settings).reason
    <Reason.NOT_FOUND: 'not-found'>
    """
    path = Path(url2pathname(urlsplit(url).path))
    endings = by_ending()
    mime = endings.get(path.suffix.lower())
    if mime is None:
        known = ", ".join(endings)
        return Failed(url=url, reason=Reason.TYPE_REFUSED, at=0.0, detail=f"only files ending in {known} are read")
    limit = min(settings.network.max_body, settings.network.types.get(mime, settings.network.max_body))
    try:
        # Reading a pipe or a device would never end.
        if not path.is_file():
            return Failed(url=url, reason=Reason.NOT_FOUND, at=0.0, detail="there is no such file")
        with path.open("rb") as file:
            body = file.read(limit + 1)
    except (OSError, ValueError) as error:
        return Failed(url=url, reason=Reason.UNREADABLE, at=0.0, detail=getattr(error, "strerror", "") or str(error))
    if len(body) > limit:
        return Failed(url=url, reason=Reason.BODY_TOO_LARGE, at=0.0, detail=f"more than {limit} bytes")
    return reader.read(Fetched(url=url, status=200, headers=[], body=body, raw=b"", mime=mime, at=0.0))
