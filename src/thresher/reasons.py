"""The closed list of reasons why something was not fetched, not kept or not followed.

An expected failure is a value that carries one of these reasons; `docs/REASONS.md` says what each means to a
user and what to do about it, and a test keeps the two lists equal.
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
    Reason.BAD_URL: "The address is no valid http or https URL.",
    Reason.URL_TOO_LONG: "The address is longer than crawl.max_url allows.",
    Reason.OUT_OF_SCOPE: "The address lies outside crawl.scope or matches crawl.exclude.",
    Reason.TOO_DEEP: "It is more hops from the seeds than crawl.max_depth allows; a shorter path brings it back.",
    Reason.NOFOLLOW: "The page or the link asks not to be followed; another link may still lead there.",
    Reason.ROBOTS_DISALLOWED: "The robots file of the site does not allow it.",
    Reason.ROBOTS_UNREACHABLE: "The robots file could not be had, so nothing was fetched; the next run tries again.",
    Reason.HOST_QUOTA: "The host has given as many pages as manners.quota allows.",
    Reason.HOST_BAD: "The host failed manners.max_failures times in a row and was given up; the next run tries again.",
    Reason.QUEUE_FULL: "Its queue was full of better URLs; found again on a better page it comes back.",
    Reason.QUEUE_CLOSED: "The strategy is done with its queue; found again for another queue it comes back.",
    Reason.TRAP_REPEATED_PATH: "The same parts of the path or the query repeat again and again in the address.",
    Reason.TRAP_GROWING_PATH: "The path is too deep, or combines words anew that the host has combined often enough.",
    Reason.TRAP_SESSION: "The host gives the same addresses again and again, each time with another id in them.",
    Reason.TRAP_CALENDAR: "It is one more page of a calendar without end.",
    Reason.TRAP_SUBDOMAINS: "The domain has more host names than any real site, or this one repeats itself.",
    Reason.HOST_YIELD: "The host has given many pages and nothing new for a long time.",
    Reason.ADDRESS_FORBIDDEN: "The host has a private or local address, which network.allow does not name.",
    Reason.DNS_FAILED: "The host name could not be resolved.",
    Reason.CONNECT_FAILED: "No connection could be opened.",
    Reason.TLS_FAILED: "The certificate or the encryption of the site is not in order.",
    Reason.TIMEOUT: "The server took longer than the timeouts under network allow.",
    Reason.CONNECTION_LOST: "The connection broke off before the answer was complete.",
    Reason.PROTOCOL_ERROR: "The answer was no valid HTTP.",
    Reason.NO_ROOM: "Too many large bodies were in memory or too many files open; it is asked for again later.",
    Reason.TOO_MANY_REDIRECTS: "The chain of redirects is longer than network.max_redirects.",
    Reason.BAD_REDIRECT: "The redirect names no address, a wrong one, or itself.",
    Reason.NOT_FOUND: "The server says there is no such page (404).",
    Reason.GONE: "The server says the page is gone for good (410).",
    Reason.FORBIDDEN: "The server does not give the page to us (401, 403, 451).",
    Reason.RATE_LIMITED: "The server asks us to slow down (429).",
    Reason.UNAVAILABLE: "The server is not available for now (503).",
    Reason.SERVER_ERROR: "The server failed (5xx).",
    Reason.BAD_STATUS: "The server answered with a status that carries no page.",
    Reason.TYPE_REFUSED: "The document is of a type that network.types does not name.",
    Reason.BODY_TOO_LARGE: "The body is larger than network.max_body or network.types allow, as sent or as unpacked.",
    Reason.BAD_CODING: "The compressed body cannot be unpacked.",
    Reason.WRONG_LANGUAGE: "The page is in none of reading.languages, or has too few of their words to tell.",
    Reason.DUPLICATE: "Another stored page has the same text, word for word; this one was read for its links only.",
    Reason.NOINDEX: "The page asks not to be kept; it was read for its links only.",
    Reason.SOFT_404: "The host says this to every wrong address: it is an error page with the status of a good one.",
    Reason.NO_TEXT: "It has no words: it is empty, or made of pictures only.",
    Reason.ENCRYPTED: "The file is encrypted and cannot be read without its password.",
    Reason.OVER_LIMITS: "The file unpacks to more than the settings under documents allow, or is made to attack.",
    Reason.BUDGET_SPENT: "The budget of pages was spent before this member of an archive; a later crawl may take it.",
    Reason.NESTED_TOO_DEEP: "The markup is nested too deeply to be read safely.",
    Reason.UNREADABLE: "The page could not be read.",
    Reason.READING_TIMEOUT: "Reading took longer than engine.reading_deadline, or than documents.seconds for a file.",
    Reason.READER_CRASHED: "The worker process that read the page died.",
}
"""What each reason means to a person; every reason has an entry."""

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
"""Failures that may pass: the URL waits for another try, up to the limit of tries."""

UNCOUNTED = frozenset({Reason.NO_ROOM})
"""Of these failures, those that are our own fault: they are no try of the URL."""

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
"""Failures that mark the whole host slow, and bad after the third in a row."""

NEXT_RUN = frozenset({Reason.HOST_BAD, Reason.ROBOTS_UNREACHABLE})
"""Reasons for which a host is closed for the rest of a run only: its URLs wait for the next."""


class Unmet(StrEnum):
    """The rule of acceptance by which a page was rejected by every topic."""

    BELOW_THRESHOLD = "below-threshold"
    TOO_FEW_FEATURES = "too-few-features"
    LANGUAGE = "other-language"
    INDICATORS_MISSING = "indicators-missing"


UNMET: dict[Unmet, str] = {
    Unmet.BELOW_THRESHOLD: "The confidence of the topic it came nearest to does not exceed train.threshold.",
    Unmet.TOO_FEW_FEATURES: "It has fewer stems of the feature space than train.min_features.",
    Unmet.LANGUAGE: "It is in none of the languages that the topic it came nearest to asks for.",
    Unmet.INDICATORS_MISSING: "It has fewer indicators of that topic than train.min_indicators.",
}
"""What each rule means to a person; every rule has an entry."""


class Unkept(StrEnum):
    """Why the archetypes that a round of retraining proposed for a topic do not teach it."""

    ONE_HOST = "one-host"
    TOO_FEW_PAGES = "too-few-pages"
    HALVES_DISAGREE = "halves-disagree"
    PAGE_LOST = "page-lost"
    SIBLING_PAGE_LOST = "sibling-page-lost"


UNKEPT: dict[Unkept, str] = {
    Unkept.ONE_HOST: "They all come from one host, and the pages of the topic from several.",
    Unkept.TOO_FEW_PAGES: "With half of them the topic takes too few stored pages to tell whether both halves agree.",
    Unkept.HALVES_DISAGREE: "Taught by either half of them, the topic takes different pages.",
    Unkept.PAGE_LOST: "With them the topic would no longer take one of your own pages while left out.",
    Unkept.SIBLING_PAGE_LOST: "With them another topic would no longer take one of your own pages while left out.",
}
"""What each reason means to a person; every reason has an entry."""
