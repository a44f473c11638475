"""`thresher users`: the accounts of the web portal."""

import getpass
import sys
from typing import Annotated

import typer

from thresher.api.users import Users
from thresher.cli.main import app
from thresher.cli.options import Json, Portal, action_argument
from thresher.cli.output import console, counted, print_json
from thresher.cli.screen import bold
from thresher.errors import InputError, UsageError, command
from thresher.store.portal_records import Role

ACTIONS = ("list", "add", "role", "password", "sign-out", "remove")


@app.command(epilog="Example: thresher users my-portal add maria --role reviewer")
def users(
    portal: Portal,
    action: Annotated[str, action_argument(ACTIONS)] = "list",
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Name of the account.")] = "",
    role: Annotated[Role, typer.Option("--role", help="With add and role: what the account may do.")] = Role.ADMIN,
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
    accounts = Users(portal)
    _change(accounts, action, name, role)
    if json:
        print_json(accounts.to_dict())
        return
    out = console()
    found = accounts.listed()
    for user in found:
        out.print(f"  {user.role.value:<9} ", bold(user.name))
    out.print(counted(len(found), "account"))


def _change(accounts: Users, action: str, name: str, role: Role) -> None:
    match action:
        case "add":
            accounts.check_name(name)
            accounts.add(name, _password(), role=role)
        case "role":
            accounts.set_role(name, role)
        case "password":
            accounts.get(name)
            accounts.set_password(name, _password())
        case "sign-out":
            accounts.sign_out(name)
        case "remove":
            accounts.remove(name)


def _password() -> str:
    """Ask for a new password, twice at a terminal."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password: ")
    if getpass.getpass("Repeat password: ") != password:
        raise InputError("The two passwords differ.", "Try again.")
    return password
