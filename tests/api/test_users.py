"""`Portal.users`: the accounts of the web portal, from Python."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from thresher import Portal, ThresherError
from thresher.accounts import Accounts
from thresher.api.users import FAULTS, Users
from thresher.portal.messages import messages_in
from thresher.portals import create_portal
from thresher.store.portal_records import Role
from thresher.store.repository import open_store

PASSWORD = "correct horse battery"


@pytest.fixture
def users(tmp_path: Path) -> Users:
    create_portal(tmp_path / "portal")
    return Portal.open(tmp_path / "portal").users


def signed_in(path: Path, name: str, password: str) -> str:
    """Sign in as in a browser; return the token."""
    with closing(open_store(path)) as store:
        accounts = Accounts(store)
        user = accounts.check(name, password)
        return accounts.sign_in(user) if user is not None else ""


def is_in(path: Path, token: str) -> bool:
    with closing(open_store(path)) as store:
        return Accounts(store).who(token) is not None


def test_accounts_come_change_and_go(users: Users, tmp_path: Path) -> None:
    path = tmp_path / "portal"
    assert (len(users), repr(users)) == (0, "<0 accounts>")
    maria = users.add("maria", PASSWORD, role="reviewer")
    assert (maria.name, maria.role) == ("maria", Role.REVIEWER)
    assert list(users) == [maria] == [users.get("Maria")]
    assert users.to_dict() == {"portal": str(path), "users": [maria.to_dict()]}
    assert users.remove("maria") == maria
    assert users.listed() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda users: users.set_role("maria", Role.READER),
        lambda users: users.set_password("maria", "another long password"),
        lambda users: users.sign_out("maria"),
        lambda users: users.remove("maria"),
    ],
    ids=["role", "password", "sign-out", "remove"],
)
def test_every_change_ends_the_sessions(users: Users, tmp_path: Path, change: Callable[[Users], object]) -> None:
    users.add("maria", PASSWORD)
    token = signed_in(tmp_path / "portal", "maria", PASSWORD)
    assert is_in(tmp_path / "portal", token)
    change(users)
    assert not is_in(tmp_path / "portal", token)


def test_a_new_password_replaces_the_old_one(users: Users, tmp_path: Path) -> None:
    users.add("maria", PASSWORD)
    users.set_password("maria", "another long password")
    assert not signed_in(tmp_path / "portal", "maria", PASSWORD)
    assert signed_in(tmp_path / "portal", "maria", "another long password")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda users: users.add("maria", PASSWORD), "There is already an account 'maria'"),
        (lambda users: users.check_name("Maria"), "There is already an account 'Maria'"),
        (lambda users: users.add(" ", PASSWORD), "An account needs a name"),
        (lambda users: users.add("x" * 61, PASSWORD), "at most 60 characters"),
        (lambda users: users.add("jo", "short"), "too short"),
        (lambda users: users.set_password("maria", "x" * 1001), "too long"),
        (lambda users: users.add("jo", PASSWORD, role="owner"), "There is no role 'owner'"),
        (lambda users: users.set_role("jo", "reader"), "There is no account 'jo'"),
        (lambda users: users.remove("jo"), "There is no account 'jo'"),
    ],
    ids=range(9),
)
def test_bad_calls_raise_one_sentence(users: Users, call: Callable[[Users], object], sentence: str) -> None:
    maria = users.add("maria", PASSWORD)
    with pytest.raises(ThresherError, match=sentence):
        call(users)
    assert list(users) == [maria]


@pytest.mark.parametrize("key", sorted(FAULTS))
def test_every_fault_has_its_message_in_the_portal(key: str) -> None:
    assert messages_in("en").say(key).striptags()
