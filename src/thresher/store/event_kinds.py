"""What can happen to a crawl as a whole, as the crawl log names it.

The log is read by scripts, and by portals of earlier versions: a name, once given, stays. Requests of other processes
are noted under the names of their commands (`request_records.py`), which stand here, too.
"""

from enum import StrEnum


class EventKind(StrEnum):
    """What an event tells."""

    STARTED = "started"
    """A crawl began, or went on."""

    INHERITED = "inherited"
    """A crawl took over the links of the one before."""

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
