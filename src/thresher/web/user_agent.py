"""The User-Agent: honest, with a way to contact whoever runs the crawler."""

from typing import Final

from thresher import __version__
from thresher.errors import SettingsError
from thresher.faults import Rule, SettingUnfit

TOKEN: Final = "thresher"  # noqa: S105 - a name in robots files, not a secret
"""The crawler's name in robots.txt files."""


def user_agent(contact: str = "") -> str:
    """Return the User-Agent with a contact: an e-mail address or a URL.

    >>> user_agent("crawl@example.org")
    'Thresher/0.1 (+crawl@example.org)'
    """
    contact = contact.strip()
    name = "Thresher/" + ".".join(__version__.split(".")[:2])
    if not contact:
        return name
    if not contact.isprintable() or not contact.isascii() or set(contact) & set("()\\"):
        raise SettingsError(
            f"The contact {contact!r} cannot be used in a header.",
            'Use plain ASCII: [network] contact = "you@example.org"',
            SettingUnfit(setting="network.contact", rule=Rule.HEADER),
        )
    return f"{name} (+{contact})"
