"""The kinds of events of a crawl as a whole, as named in the crawl log.

Scripts and earlier versions of the portal read the log, so names never change. Requests of other processes are logged
under the names of their commands (`request_records.py`), which are listed here, too.
"""

from enum import StrEnum


class EventKind(StrEnum):
    """The kind of an event."""

    STARTED = "started"
    """A crawl started or continued."""

    INHERITED = "inherited"
    """A crawl took over the links of its predecessor."""

    STOPPED = "stopped"
    """A crawl ended; `because` says why."""

    OFFLINE = "offline"
    ONLINE = "online"
    """No host can be reached, and some can again."""

    REORDERED = "reordered"
    """So many waiting links were `repriced`."""

    RETRAINED = "retrained"
    """A round of retraining is over, with or without a new classifier."""

    BROKEN_OFF = "retraining-broken-off"
    """A crawl ended before a round of retraining did."""

    RECLASSIFIED = "reclassified"
    """All `pages` were judged again, and so many `moved`."""

    HUBS_RAISED = "hubs-raised"
    """So many `links` of the best link lists were put first."""

    REUSED = "reused"
    """A page was read from the portal instead of the web."""

    ADOPTED = "adopted"
    """A crawl went on with settings that were `changed`."""

    STOP = "stop"
    PAUSE = "pause"
    CONTINUE = "continue"
    ADD_URL = "add-url"
    """What other processes asked for."""

    UNKNOWN_REQUEST = "unknown-request"
    """Something that this version does not know was asked for."""
