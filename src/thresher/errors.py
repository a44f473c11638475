"""The exceptions a user may see, each with an exit code and a remedy.

ThresherError                     1   anything below, caught once in the command line
├── UsageError                    2   invalid arguments (typer's own exit code for it)
├── SettingsError                 3   a setting or a settings file is invalid
├── PortalError                   4   the portal is missing, already exists, is too new or damaged
│   ├── PortalBusy                5   another crawl is using the portal
│   └── PortalFull                6   the disk is full
├── InputError                    7   a file the user gave cannot be used (seeds, topics, a generated web)
└── PluginError                   8   a strategy or another plug-in is unknown or invalid

A crawl interrupted by Ctrl-C exits with 130 after it has stopped cleanly. Expected failures of single URLs are not
exceptions but values with a `thresher.reasons.Reason`.
"""

from typing import Any

from msgspec import Struct, to_builtins

from thresher.faults import DiskFull, Fault, PortalInUse
from thresher.shell_words import shell_words


class ErrorData(Struct, frozen=True, omit_defaults=True):
    """An error as data, for other processes: its sentence, reason and remedy, and its fault as data."""

    error: str
    reason: str = ""
    remedy: str = ""
    fault: dict[str, Any] | None = None


class ThresherError(Exception):
    """An error with one plain sentence, what to do about it, and an exit code.

    `fault` says as data what is wrong, for the web portal, which has its own messages; None if it needs none.

    >>> error = SettingsError("There is no setting 'crawl.page'.", "Did you mean 'crawl.pages'?")
    >>> error.exit_code, error.remedy
    (3, "Did you mean 'crawl.pages'?")
    """

    exit_code = 1
    reason = "error"
    fault: Fault | None = None

    def __init__(self, sentence: str, remedy: str = "", fault: Fault | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.remedy = remedy
        self.fault = fault or type(self).fault
        if remedy:
            # Scripts and notebooks show notes below the traceback.
            self.add_note(remedy)

    def told(self) -> ErrorData:
        """Return the error as data."""
        return ErrorData(self.sentence, self.reason, self.remedy, to_builtins(self.fault))


def command(*words: object) -> str:
    """Return a command for a remedy, quoted for the shell.

    >>> command("train", "my portal")
    "thresher train 'my portal'"
    """
    return shell_words(["thresher", *words])


class UsageError(ThresherError):
    """The arguments are invalid, or the crawl's state does not allow the call."""

    exit_code = 2
    reason = "usage"


class SettingsError(ThresherError):
    """A setting or a settings file is invalid."""

    exit_code = 3
    reason = "settings"


class PortalError(ThresherError):
    """The portal is missing, already exists, is too new or damaged."""

    exit_code = 4
    reason = "portal"


class PortalBusy(PortalError):
    """Another process is using the portal."""

    exit_code = 5
    reason = "portal-busy"
    fault = PortalInUse()


class PortalFull(PortalError):
    """The portal's disk is full."""

    exit_code = 6
    reason = "portal-full"
    fault = DiskFull()


class InputError(ThresherError):
    """An input file or value cannot be used."""

    exit_code = 7
    reason = "input"


class PluginError(ThresherError):
    """A strategy or another plug-in is unknown or does not implement its protocol."""

    exit_code = 8
    reason = "plugin"
