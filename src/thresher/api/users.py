"""The accounts of the web portal: listing, adding, changing and removing them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, TypedDict

from msgspec import Struct
from msgspec.structs import replace

from thresher.accounts import Accounts, fault_of_name, fault_of_password
from thresher.counting import counted
from thresher.errors import InputError, command
from thresher.store.portal_records import Role, UserRow
from thresher.store.protocol import Store
from thresher.store.repository import open_store

FAULTS: Final = {
    "account.no_name": "An account needs a name.",
    "account.bad_name": "A name may have at most 60 characters, all of them visible.",
    "account.short_password": "The password is too short: at least 10 characters.",
    "account.long_password": "The password is too long: at most 1,000 characters.",
}
"""What is wrong with a name or password, in a sentence."""


class UserData(TypedDict):
    """An account; `made` is in seconds since 1970."""

    name: str
    role: str
    made: float


class UsersData(TypedDict):
    """All accounts."""

    portal: str
    users: list[UserData]


class User(Struct, frozen=True):
    """An account: its name, what it may do, and when it was created, in seconds since 1970."""

    name: str
    role: Role
    made: float

    def to_dict(self) -> UserData:
        """Return the object that `thresher users --json` prints for it."""
        return {"name": self.name, "role": self.role.value, "made": self.made}


class Users:
    """The accounts of the web portal, sorted by name; get it from `portal.users`.

    Iterate over them, or take their number. A role is `reader`, `reviewer` or `admin`; each may do what the ones before
    it may.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def listed(self) -> list[User]:
        """Return all accounts."""
        with closing(open_store(self._path, read_only=True)) as store:
            return [_user(row) for row in store.users.all()]

    def get(self, name: str) -> User:
        """Return an account; raise InputError if there is none of this name."""
        with closing(open_store(self._path, read_only=True)) as store:
            return _user(self._row(store, name))

    def check_name(self, name: str) -> None:
        """Raise InputError if a new account cannot have this name."""
        _refuse(fault_of_name(name), "Choose another name.")
        with closing(open_store(self._path, read_only=True)) as store:
            if store.users.get(name) is not None:
                raise _taken(name)

    def add(self, name: str, password: str, *, role: Role | str = Role.ADMIN) -> User:
        """Create an account; raise InputError if the name is taken, or the name, password or role is not valid."""
        _refuse(fault_of_name(name), "Choose another name.")
        _refuse(fault_of_password(password), "Choose another password.")
        kind = _role(role)
        with closing(open_store(self._path)) as store:
            row = Accounts(store).add(name, password, kind)
        if row is None:
            raise _taken(name)
        return _user(row)

    def set_role(self, name: str, role: Role | str) -> User:
        """Change what an account may do, and sign it out everywhere."""
        kind = _role(role)
        with closing(open_store(self._path)) as store:
            row = replace(self._row(store, name), role=kind)
            store.users.change(row)
            Accounts(store).sign_out_everywhere(row)
        return _user(row)

    def set_password(self, name: str, password: str) -> User:
        """Change the password of an account, and sign it out everywhere."""
        _refuse(fault_of_password(password), "Choose another password.")
        with closing(open_store(self._path)) as store:
            row = self._row(store, name)
            accounts = Accounts(store)
            accounts.set_password(row, password)
            accounts.sign_out_everywhere(row)
        return _user(row)

    def sign_out(self, name: str) -> User:
        """Sign an account out of every browser, and revoke its feed key."""
        with closing(open_store(self._path)) as store:
            row = self._row(store, name)
            Accounts(store).sign_out_everywhere(row)
        return _user(row)

    def remove(self, name: str) -> User:
        """Remove an account and return it as it was; its sessions end."""
        with closing(open_store(self._path)) as store:
            row = self._row(store, name)
            store.users.remove(row.id)
            Accounts(store).sign_out_everywhere(row)
        return _user(row)

    def to_dict(self) -> UsersData:
        """Return the object that `thresher users --json` prints."""
        return {"portal": str(self._path), "users": [user.to_dict() for user in self]}

    def __iter__(self) -> Iterator[User]:
        return iter(self.listed())

    def __len__(self) -> int:
        return len(self.listed())

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'account')}>"

    def _row(self, store: Store, name: str) -> UserRow:
        row = store.users.get(name)
        if row is None:
            raise InputError(f"There is no account '{name[:200]}'.", f"List them: {command('users', self._path)}")
        return row


def _user(row: UserRow) -> User:
    return User(row.name, row.role, row.made)


def _role(role: Role | str) -> Role:
    if role not in list(Role):
        raise InputError(f"There is no role '{role}'.", f"Choose one of: {', '.join(Role)}.")
    return Role(role)


def _refuse(fault: str | None, remedy: str) -> None:
    if fault is not None:
        raise InputError(FAULTS[fault], remedy)


def _taken(name: str) -> InputError:
    return InputError(f"There is already an account '{name}'.", "Choose another name.")
