"""The closed list of reasons why something was not fetched, kept or followed.

Expected failures are values that carry one of these reasons. `docs/REASONS.md` explains each one to users; a test
keeps the two lists in sync.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a URL was refused, a fetch failed or a page was not read.

    >>> Reason.ROBOTS_DISALLOWED.value
    'robots-disallowed'
    """

    # Decided before a fetch.
    BAD_URL = "bad-url"
    URL_TOO_LONG = "url-too-long"
    OUT_OF_SCOPE = "out-of-scope"
    REMOVED = "removed"
    TOO_DEEP = "too-deep"
    NOFOLLOW = "nofollow"
    ROBOTS_DISALLOWED = "robots-disallowed"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    HOST_QUOTA = "host-quota"
    HOST_BAD = "host-bad"
    QUEUE_FULL = "queue-full"
    QUEUE_CLOSED = "queue-closed"
    TRAP_REPEATED_PATH = "trap-repeated-path"
    TRAP_GROWING_PATH = "trap-growing-path"
    TRAP_SESSION = "trap-session"
    TRAP_CALENDAR = "trap-calendar"
    TRAP_SUBDOMAINS = "trap-subdomains"
    HOST_YIELD = "host-yield"
    # The network.
    ADDRESS_FORBIDDEN = "address-forbidden"
    DNS_FAILED = "dns-failed"
    CONNECT_FAILED = "connect-failed"
    TLS_FAILED = "tls-failed"
    TIMEOUT = "timeout"
    CONNECTION_LOST = "connection-lost"
    PROTOCOL_ERROR = "protocol-error"
    NO_ROOM = "no-room"
    # The answer.
    TOO_MANY_REDIRECTS = "too-many-redirects"
    BAD_REDIRECT = "bad-redirect"
    NOT_FOUND = "not-found"
    GONE = "gone"
    FORBIDDEN = "forbidden"
    RATE_LIMITED = "rate-limited"
    UNAVAILABLE = "unavailable"
    SERVER_ERROR = "server-error"
    BAD_STATUS = "bad-status"
    TYPE_REFUSED = "type-refused"
    BODY_TOO_LARGE = "body-too-large"
    BAD_CODING = "bad-coding"
    # Reading.
    WRONG_LANGUAGE = "wrong-language"
    DUPLICATE = "duplicate"
    NOINDEX = "noindex"
    SOFT_404 = "soft-404"
    NO_TEXT = "no-text"
    ENCRYPTED = "encrypted"
    OVER_LIMITS = "over-limits"
    BUDGET_SPENT = "budget-spent"
    NESTED_TOO_DEEP = "nested-too-deep"
    UNREADABLE = "unreadable"
    READING_TIMEOUT = "reading-timeout"
    READER_CRASHED = "reader-crashed"


MEANING: dict[Reason, str] = {
    Reason.BAD_URL: "Not a valid http or https URL.",
    Reason.URL_TOO_LONG: "The URL is longer than crawl.max_url allows.",
    Reason.OUT_OF_SCOPE: "The URL is outside crawl.scope or matches crawl.exclude.",
    Reason.REMOVED: "A person decided that the page is irrelevant.",
    Reason.TOO_DEEP: "More hops from the seeds than crawl.max_depth allows; a shorter path would bring it back.",
    Reason.NOFOLLOW: "The page or the link is marked nofollow; another link may still lead there.",
    Reason.ROBOTS_DISALLOWED: "The site's robots.txt disallows it.",
    Reason.ROBOTS_UNREACHABLE: "robots.txt could not be fetched, so nothing else was; the next run tries again.",
    Reason.HOST_QUOTA: "The host has reached its page quota (manners.quota).",
    Reason.HOST_BAD: "The host failed manners.max_failures times in a row; the next run tries again.",
    Reason.QUEUE_FULL: "The queue was full of better URLs; it comes back if a better page links to it.",
    Reason.QUEUE_CLOSED: "The strategy closed its queue; it comes back if it is found for another queue.",
    Reason.TRAP_REPEATED_PATH: "The same parts of the path or the query keep repeating.",
    Reason.TRAP_GROWING_PATH: "The path is too deep, or recombines words that the host has combined often enough.",
    Reason.TRAP_SESSION: "The host keeps serving the same URLs with a different id in each.",
    Reason.TRAP_CALENDAR: "Another page of an endless calendar.",
    Reason.TRAP_SUBDOMAINS: "The domain has more host names than a real site would, or the host name repeats itself.",
    Reason.HOST_YIELD: "The host returned many pages but nothing new for a long time.",
    Reason.ADDRESS_FORBIDDEN: "The host has a private or local address that network.allow does not list.",
    Reason.DNS_FAILED: "The host name could not be resolved.",
    Reason.CONNECT_FAILED: "No connection could be opened.",
    Reason.TLS_FAILED: "The site's certificate or encryption is invalid.",
    Reason.TIMEOUT: "The server exceeded one of the timeouts set under [network].",
    Reason.CONNECTION_LOST: "The connection was lost before the response was complete.",
    Reason.PROTOCOL_ERROR: "The response was not valid HTTP.",
    Reason.NO_ROOM: "Too many large responses in memory or too many open files; retried later.",
    Reason.TOO_MANY_REDIRECTS: "More redirects in a row than network.max_redirects allows.",
    Reason.BAD_REDIRECT: "The redirect has no target, an invalid one, or itself as its target.",
    Reason.NOT_FOUND: "The page does not exist (404).",
    Reason.GONE: "The page is gone for good (410).",
    Reason.FORBIDDEN: "The server denied access (401, 403 or 451).",
    Reason.RATE_LIMITED: "The server asks us to slow down (429).",
    Reason.UNAVAILABLE: "The server is temporarily unavailable (503).",
    Reason.SERVER_ERROR: "The server failed (5xx).",
    Reason.BAD_STATUS: "The server returned a status that comes without a page.",
    Reason.TYPE_REFUSED: "The content type is not listed in network.types.",
    Reason.BODY_TOO_LARGE: "The body, compressed or not, exceeds the limit in network.max_body or network.types.",
    Reason.BAD_CODING: "The compressed body could not be decompressed.",
    Reason.WRONG_LANGUAGE: "The page is in none of reading.languages, or has too few of their words to tell.",
    Reason.DUPLICATE: "Its text is identical to a stored page's; only its links were used.",
    Reason.NOINDEX: "The page is marked noindex; only its links were used.",
    Reason.SOFT_404: "An error page served with a success status: the host returns it for any wrong URL.",
    Reason.NO_TEXT: "The page has no text: it is empty or consists of images only.",
    Reason.ENCRYPTED: "The file is encrypted; reading it requires a password.",
    Reason.OVER_LIMITS: "The file unpacks to more than the [documents] settings allow, or is built as an attack.",
    Reason.BUDGET_SPENT: "The page budget ran out before this archive member was read; a later crawl may read it.",
    Reason.NESTED_TOO_DEEP: "The markup is nested too deeply to parse safely.",
    Reason.UNREADABLE: "The page could not be read.",
    Reason.READING_TIMEOUT: "Reading took longer than engine.reading_deadline (for files: documents.seconds).",
    Reason.READER_CRASHED: "The worker process reading the page crashed.",
}
"""What each reason means to the user; every reason has an entry."""

RETRIED = frozenset(
    {
        Reason.DNS_FAILED,
        Reason.CONNECT_FAILED,
        Reason.TIMEOUT,
        Reason.CONNECTION_LOST,
        Reason.PROTOCOL_ERROR,
        Reason.RATE_LIMITED,
        Reason.UNAVAILABLE,
        Reason.SERVER_ERROR,
        Reason.READER_CRASHED,
        Reason.NO_ROOM,
    }
)
"""Temporary failures: the URL is retried, up to the limit."""

UNCOUNTED = frozenset({Reason.NO_ROOM})
"""Temporary failures that are our own fault and do not count as a try."""

BLAMES_HOST = frozenset(
    {
        Reason.DNS_FAILED,
        Reason.CONNECT_FAILED,
        Reason.TLS_FAILED,
        Reason.TIMEOUT,
        Reason.CONNECTION_LOST,
        Reason.PROTOCOL_ERROR,
        Reason.RATE_LIMITED,
        Reason.UNAVAILABLE,
        Reason.SERVER_ERROR,
    }
)
"""Failures that slow down the whole host, and close it after the third in a row."""

NEXT_RUN = frozenset({Reason.HOST_BAD, Reason.ROBOTS_UNREACHABLE})
"""Reasons that close a host only until the end of the run: its URLs wait for the next one."""


class Unmet(StrEnum):
    """The rule by which every topic rejected a page."""

    BELOW_THRESHOLD = "below-threshold"
    TOO_FEW_FEATURES = "too-few-features"
    LANGUAGE = "other-language"
    INDICATORS_MISSING = "indicators-missing"
    PEERS_DISAGREE = "peers-disagree"


UNMET: dict[Unmet, str] = {
    Unmet.BELOW_THRESHOLD: "Its confidence for the closest topic does not exceed train.threshold.",
    Unmet.TOO_FEW_FEATURES: "It contains fewer of the features than train.min_features requires.",
    Unmet.LANGUAGE: "It is in none of the languages that the closest topic accepts.",
    Unmet.INDICATORS_MISSING: "It has fewer of the closest topic's indicator words than train.min_indicators requires.",
    Unmet.PEERS_DISAGREE: "With peers' opinions, its confidence for the closest topic does not exceed train.threshold.",
}
"""What each rule means to the user; every rule has an entry."""


class Unkept(StrEnum):
    """Why a retraining round did not use the archetypes proposed for a topic."""

    ONE_HOST = "one-host"
    TOO_FEW_PAGES = "too-few-pages"
    HALVES_DISAGREE = "halves-disagree"
    PAGE_LOST = "page-lost"
    SIBLING_PAGE_LOST = "sibling-page-lost"


UNKEPT: dict[Unkept, str] = {
    Unkept.ONE_HOST: "They all come from one host, while the topic's own pages come from several.",
    Unkept.TOO_FEW_PAGES: "Trained on half of them, the topic accepts too few stored pages to compare the halves.",
    Unkept.HALVES_DISAGREE: "Trained on one half or the other, the topic accepts different pages.",
    Unkept.PAGE_LOST: "With them, cross-validation rejects one of your own pages that it accepted before.",
    Unkept.SIBLING_PAGE_LOST: "With them, cross-validation rejects one of your own pages in another topic.",
}
"""What each reason means to the user; every reason has an entry."""
