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
    SCHEME_REFUSED = "scheme-refused"
    OUT_OF_SCOPE = "out-of-scope"
    TOO_DEEP = "too-deep"
    NOFOLLOW = "nofollow"
    ROBOTS_DISALLOWED = "robots-disallowed"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    HOST_QUOTA = "host-quota"
    HOST_BAD = "host-bad"
    QUEUE_FULL = "queue-full"
    # The network.
    ADDRESS_FORBIDDEN = "address-forbidden"
    DNS_FAILED = "dns-failed"
    CONNECT_FAILED = "connect-failed"
    TLS_FAILED = "tls-failed"
    TIMEOUT = "timeout"
    CONNECTION_LOST = "connection-lost"
    PROTOCOL_ERROR = "protocol-error"
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
    NOINDEX = "noindex"
    NESTED_TOO_DEEP = "nested-too-deep"
    UNREADABLE = "unreadable"
    READING_TIMEOUT = "reading-timeout"
    READER_CRASHED = "reader-crashed"


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
    }
)
"""Failures that may pass: the URL waits for another try, up to the limit of tries."""

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
"""Failures that mark the whole host slow, and bad after the third in a row (spec: frontier, politeness)."""
