"""What browsers hold: the names of cookies, form tokens, and addresses to return to."""

import hashlib
import hmac
from typing import Final

SESSION: Final = "thresher_session"
VISITOR: Final = "thresher_visitor"
"""Cookies: the session of a signed-in user, and the browser that a form was given to."""

_LONGEST: Final = 200


def form_token(secret: str) -> str:
    """Return the form token for the browser that holds a secret cookie.

    >>> form_token("a") == form_token("a"), form_token("a") == form_token("b")
    (True, False)
    """
    return hmac.new(secret.encode(), b"thresher form", hashlib.sha256).hexdigest()


def fits(secret: str, token: str) -> bool:
    """Return whether a form came from the browser it was given to; False for an empty secret."""
    given = token[:_LONGEST].encode("utf-8", "replace")
    return bool(secret) and hmac.compare_digest(form_token(secret).encode(), given)


def local_path(address: str) -> str:
    """Return an address if it is a path of this portal, otherwise that of the home page.

    >>> local_path("/t/Tea?page=2"), local_path("//evil.example"), local_path("https://evil.example/")
    ('/t/Tea?page=2', '/', '/')
    >>> local_path("/\\\\evil.example"), local_path("/a\\nb")
    ('/', '/')
    """
    plain = address.startswith("/") and not address.startswith(("//", "/\\"))
    clean = plain and "\\" not in address and all(" " < letter < "\x7f" for letter in address)
    return address if clean and len(address) < 2000 else "/"
