"""A real Firefox, remote-controlled through its own Marionette protocol: JSON lists with their length in front."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 60.0
"""Seconds after which something that was waited for will not come any more."""

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Firefox:
    """A running browser, at one of its tabs at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = b""
        self._number = 0
        self._read()
        self.say("WebDriver:NewSession")

    def say(self, command: str, **parameters: Any) -> Any:
        """Give a command and return what comes of it; an error is an AssertionError."""
        self._number += 1
        data = json.dumps([0, self._number, command, parameters]).encode()
        self._connection.sendall(str(len(data)).encode() + b":" + data)
        _, _, error, result = self._read()
        assert error is None, f"{command}: {error}"
        return result.get("value", result) if isinstance(result, dict) else result

    def go(self, url: str) -> None:
        """Open an address in the current tab."""
        self.say("WebDriver:Navigate", url=url)

    def click(self, selector: str) -> None:
        """Click an element as a person does."""
        found = self.say("WebDriver:FindElement", using="css selector", value=selector)
        self.say("WebDriver:ElementClick", id=found[_ELEMENT])

    def fill(self, selector: str, text: str) -> None:
        """Write a text into a field in place of what it has."""
        found = self.say("WebDriver:FindElement", using="css selector", value=selector)[_ELEMENT]
        self.say("WebDriver:ElementClear", id=found)
        self.say("WebDriver:ElementSendKeys", id=found, text=text)

    def look(self, script: str) -> Any:
        """Return what an expression of the page is."""
        return self.say("WebDriver:ExecuteScript", script=f"return {script}", args=[])

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements of a kind that can be seen."""
        found: list[str] = self.look(
            f"[...document.querySelectorAll({json.dumps(selector)})]"
            ".filter((one) => one.offsetParent !== null).map((one) => one.textContent)"
        )
        return found

    def wait_for(self, what: str, *, reload: bool = False) -> None:
        """Wait until an expression of the page is true; `reload` the page between two looks."""
        until = time.monotonic() + PATIENCE
        while not self.look(what):
            assert time.monotonic() < until, what
            time.sleep(0.1)
            if reload:
                self.reload()

    def reload(self) -> None:
        """Load the page of the current tab again."""
        self.look("void (window.old = true, location.reload())")
        self.wait_for("!window.old && document.readyState === 'complete'")

    def new_tab_of_extension(self, url: str) -> str:
        """Open a page of an extension in a tab of its own, which only the browser itself may, and return its name."""
        before = set(self.tabs())
        self.say("Marionette:SetContext", value="chrome")
        self.look(f"void (gBrowser.selectedTab = gBrowser.addTrustedTab({json.dumps(url)}))")
        self.say("Marionette:SetContext", value="content")
        until = time.monotonic() + PATIENCE
        while not (opened := set(self.tabs()) - before):
            assert time.monotonic() < until, url
        name = opened.pop()
        self.turn_to(name)
        self.wait_for(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")
        return name

    def turn_to(self, tab: str) -> None:
        """Go to a tab."""
        self.say("WebDriver:SwitchToWindow", handle=tab, focus=True)

    def tabs(self) -> list[str]:
        """Return the names of all tabs."""
        found: list[str] = self.say("WebDriver:GetWindowHandles")
        return found

    def _read(self) -> Any:
        while b":" not in self._buffer:
            self._more()
        length, _, self._buffer = self._buffer.partition(b":")
        while len(self._buffer) < int(length):
            self._more()
        data, self._buffer = self._buffer[: int(length)], self._buffer[int(length) :]
        return json.loads(data)

    def _more(self) -> None:
        data = self._connection.recv(65_536)
        assert data, "Firefox has closed the connection"
        self._buffer += data


@contextmanager
def firefox(profile: Path, preferences: dict[str, Any]) -> Iterator[Firefox]:
    """Start Firefox without a window, with a profile of its own."""
    assert FIREFOX is not None
    profile.mkdir()
    chosen = {"marionette.port": 0, "browser.shell.checkDefaultBrowser": False, **preferences}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in chosen.items()]
    (profile / "user.js").write_text("".join(lines))
    command = [
        FIREFOX,
        "--headless",
        "--marionette",
        "--remote-allow-system-access",
        "--no-remote",
        "--profile",
        str(profile),
    ]
    with open(profile / "firefox.log", "wb") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        with socket.create_connection(("127.0.0.1", _port(profile, running)), timeout=PATIENCE) as connection:
            yield Firefox(connection)
    finally:
        running.terminate()
        running.wait()


def _port(profile: Path, running: subprocess.Popen[bytes]) -> int:
    """Return the port that Firefox has chosen, once it has."""
    file = profile / "MarionetteActivePort"
    until = time.monotonic() + PATIENCE
    while not (file.exists() and file.read_text().strip()):
        assert running.poll() is None, "Firefox has ended"
        assert time.monotonic() < until, "Firefox does not answer"
        time.sleep(0.1)
    return int(file.read_text())
