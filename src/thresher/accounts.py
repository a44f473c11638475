"""Accounts: passwords, signing in and out."""

import time
import unicodedata
from collections.abc import Callable
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec.structs import replace

from thresher.store.browsing import BrowserKeys
from thresher.store.portal_records import Role, SessionRow, UserRow
from thresher.store.portal_tables import Users
from thresher.store.protocol import Store
from thresher.store.tries import Tries
from thresher.tokens import digest, new_token

MIN_PASSWORD: Final = 10
MAX_PASSWORD: Final = 1000
MAX_NAME: Final = 60
LIFETIME: Final = 30 * 86_400.0
"""Seconds for which a browser stays signed in."""


def fault_of_name(name: str) -> str | None:
    """Return the message key of what is wrong with an account name, or None if it is valid.

    >>> fault_of_name("maria"), fault_of_name(" "), fault_of_name("a\\u202eb")
    (None, 'account.no_name', 'account.bad_name')
    """
    if not name.strip():
        return "account.no_name"
    strange = any(unicodedata.category(letter)[0] in "CZ" and letter != " " for letter in name)
    return "account.bad_name" if strange or len(name) > MAX_NAME or name != name.strip() else None


def fault_of_password(password: str) -> str | None:
    """Return the message key of what is wrong with a new password, or None if it is valid.

    >>> fault_of_password("short"), fault_of_password("correct horse")
    ('account.short_password', None)
    """
    if len(password) < MIN_PASSWORD:
        return "account.short_password"
    return "account.long_password" if len(password) > MAX_PASSWORD else None


class Accounts:
    """The accounts of a portal; `hasher` determines the cost of a password guess."""

    def __init__(
        self, store: Store, hasher: PasswordHasher | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._hasher = hasher or PasswordHasher()
        self._clock = clock
        self._nobody = self._hasher.hash(new_token())

    @property
    def users(self) -> Users:
        """The table of accounts: that of the portal, or of the folder that contains it."""
        return self._store.users

    @property
    def tries(self) -> Tries:
        """The table of wrong passwords, stored with the accounts so one limit covers all portals of a folder."""
        return self._store.tries

    @property
    def keys(self) -> BrowserKeys:
        """The keys of browsers that send sessions, stored with the accounts."""
        return self._store.browser_keys

    def any(self) -> bool:
        """Return whether there is an account."""
        return bool(self._store.users.all())

    def add(self, name: str, password: str, role: Role) -> UserRow | None:
        """Add an account; return None if the name is taken."""
        return self._store.users.add(name, role, self._hasher.hash(password), self._clock())

    def check(self, name: str, password: str) -> UserRow | None:
        """Return the account with this name and password, or None; takes equally long if the name does not exist."""
        user = self._store.users.get(name)
        try:
            self._hasher.verify(user.password if user else self._nobody, password[:MAX_PASSWORD])
        except (VerificationError, InvalidHashError):
            return None
        if user is not None and self._hasher.check_needs_rehash(user.password):
            self.set_password(user, password)
        return user

    def set_password(self, user: UserRow, password: str) -> None:
        """Change the password of an account; open sessions stay valid."""
        self._store.users.change(replace(user, password=self._hasher.hash(password)))

    def sign_in(self, user: UserRow) -> str:
        """Sign a browser in and return its token."""
        token, now = new_token(), self._clock()
        self._store.sessions.open(SessionRow(digest=digest(token), user=user.id, made=now, expires=now + LIFETIME))
        return token

    def who(self, token: str) -> UserRow | None:
        """Return the account that a session token belongs to, or None."""
        return self._store.sessions.user(digest(token), self._clock()) if token else None

    def make_feed_key(self, user: UserRow) -> str:
        """Return a new feed key for an account, replacing the previous one; only its digest is stored."""
        key = new_token()
        self._store.feed_keys.put(user.id, digest(key), self._clock())
        return key

    def who_reads(self, key: str) -> UserRow | None:
        """Return the account that a feed key belongs to, or None."""
        return self._store.feed_keys.user(digest(key)) if key else None

    def feed_key_made(self, user: UserRow) -> float | None:
        """Return when the feed key of an account was created, or None if there is none."""
        return self._store.feed_keys.made(user.id)

    def remove_feed_key(self, user: UserRow) -> None:
        """Revoke the feed key of an account."""
        self._store.feed_keys.remove(user.id)

    def sign_out(self, token: str) -> None:
        """Sign one browser out."""
        self._store.sessions.end(digest=digest(token))

    def sign_out_everywhere(self, user: UserRow) -> None:
        """Sign an account out of every browser and revoke its feed key; browser keys stay valid."""
        self._store.sessions.end(user=user.id)
        self.remove_feed_key(user)
