"""`thresher users`: the accounts of the web portal."""

import getpass
import sys
from contextlib import closing
from typing import Annotated

import typer
from msgspec.structs import replace

from thresher.cli.admin_shapes import UserData, UsersData
from thresher.cli.main import app
from thresher.cli.options import Json, Portal
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import bold
from thresher.errors import InputError, UsageError, command
from thresher.portal.accounts import Accounts, fault_of_name, fault_of_password
from thresher.portal.messages import messages_in
from thresher.store.portal_records import Role, UserRow
from thresher.store.protocol import Store
from thresher.store.repository import open_store

ACTIONS = ("list", "add", "role", "password", "sign-out", "remove")


@app.command(epilog="Example: thresher users my-portal add maria --role reviewer")
def users(
    portal: Portal,
    action: Annotated[str, typer.Argument(metavar="[ACTION]", help=f"{', '.join(ACTIONS)}.")] = "list",
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Name of the account.")] = "",
    role: Annotated[Role, typer.Option("--role", help="reader, reviewer or admin; with add and role.")] = Role.ADMIN,
    json: Json = False,
) -> None:
    """List or edit the accounts of the web portal.

    Prompts for the password, or reads it as one line from stdin; it is never an argument. A new password, a new role or
    sign-out ends all sessions of the account.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action '{action}'.", f"Choose one of: {', '.join(ACTIONS)}.")
    if action != "list" and not name:
        raise UsageError("No account was given.", f"Give its name: {command('users', portal, action, 'NAME')}")
    with closing(open_store(portal)) as store:
        if action != "list":
            _change(store, Accounts(store), action, name, role)
        found = store.users.all()
    if json:
        listed: UsersData = {"portal": str(portal), "users": [_row(user) for user in found]}
        print_json(listed)
        return
    out = console()
    for user in found:
        out.print(f"  {user.role.value:<9} ", bold(user.name))
    out.print(counted(len(found), "account"))


def _change(store: Store, accounts: Accounts, action: str, name: str, role: Role) -> None:
    if action == "add":
        _refuse(fault_of_name(name))
        if store.users.get(name) is not None or accounts.add(name, _password(), role) is None:
            raise InputError(f"There is an account '{name}' already.", "Choose another name.")
        return
    user = store.users.get(name)
    if user is None:
        raise InputError(f"There is no account '{name}'.", "Leave out the action to list them.")
    match action:
        case "role":
            store.users.change(replace(user, role=role))
        case "password":
            accounts.set_password(user, _password())
        case "remove":
            store.users.remove(user.id)
    accounts.sign_out_everywhere(user)


def _password() -> str:
    """Ask for a new password, twice at a terminal."""
    if not sys.stdin.isatty():
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = getpass.getpass("Password: ")
        if getpass.getpass("Repeat password: ") != password:
            raise InputError("The two passwords differ.", "Try again.")
    _refuse(fault_of_password(password))
    return password


def _refuse(fault: str | None) -> None:
    if fault is not None:
        raise InputError(messages_in("en").say(fault).striptags(), "Try another one.")


def _row(user: UserRow) -> UserData:
    return {"name": user.name, "role": user.role.value, "made": user.made}
