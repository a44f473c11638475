"""The network guard: which addresses the crawler may connect to.

Any page can name any host, and any name can resolve to a machine behind the crawler's own firewall. So the guard checks
addresses, not names, at the moment of connecting: only globally routable ones pass, unless the user has named an
exception. Each exception applies only to what it names.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from thresher.errors import SettingsError
from thresher.faults import Rule, SettingUnfit

_FORBIDDEN_4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6: Final = IPv6Network("2000::/3")
_FORBIDDEN_6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, overlays
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR: Final = IPv6Network("2002::/16")
_TARGET: Final = re.compile(
    r"\[(?P<bracketed>[^\]]+)\](?::(?P<port>[0-9]{1,6}))?|(?P<plain>[0-9.]+)(?::(?P<plain_port>[0-9]{1,6}))?|(?P<bare>\S+)"
)
_NAME: Final = re.compile(r"(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def is_global(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is globally routable; an embedded IPv4 address must be global too.

    >>> is_global(ip_address("93.184.215.14")), is_global(ip_address("64:ff9b::127.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _FORBIDDEN_4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return is_global(address.ipv4_mapped)
    if address in _NAT64:
        return is_global(IPv4Address(int(address) & 0xFFFFFFFF))
    if address in _SIX_TO_FOUR:
        return is_global(IPv4Address(int(address) >> 80 & 0xFFFFFFFF))
    return address in _GLOBAL_6 and not any(address in network for network in _FORBIDDEN_6)


@lru_cache(maxsize=4096)
def is_address(host: str) -> bool:
    """Return whether a host is an address rather than a name.

    >>> is_address("[::1]"), is_address("127.0.0.1"), is_address("a.test")
    (True, True, False)
    """
    return _address(host.strip("[]")) is not None


def is_private(host: str) -> bool:
    """Return whether a host is known to be private without a look-up: a private address or a name of this machine.

    >>> is_private("127.0.0.1"), is_private("[::1]"), is_private("localhost"), is_private("a.test")
    (True, True, True, False)
    """
    address = _address(host.strip("[]"))
    if address is None:
        return host == "localhost" or host.endswith(".localhost")
    return not is_global(address)


class AddressGuard:
    """Decides whether a host may be reached at an address.

    `allow` names exceptions: a network ("10.1.0.0/16"), an address, a host name ("intranet.example") or all names below
    one ("*.example"). `mapped` redirects hosts: a name or pattern to "address:port" (an address alone keeps the port);
    it allows exactly that address and port, for exactly those names. With `public` off, only the exceptions pass.

    >>> guard = AddressGuard(mapped={"*.test": "127.0.0.1:8099"})
    >>> guard.permits("127.0.0.1", 8099, "a.test"), guard.permits("127.0.0.1", 8099, "evil.example")
    (True, False)
    """

    def __init__(self, allow: Iterable[str] = (), mapped: Mapping[str, str] | None = None, public: bool = True) -> None:
        self.public = public
        self._networks: list[IPv4Network | IPv6Network] = []
        self._names: set[str] = set()
        for entry in allow:
            network = _network(entry)
            if network is None:
                self._names.add(_pattern(entry, "network.allow"))
            else:
                self._networks.append(network)
        self._map = {_pattern(name, "network.map"): _target(name, to) for name, to in (mapped or {}).items()}

    def target(self, host: str) -> tuple[str, int] | None:
        """Return the (address, port) a host is mapped to, port 0 to keep it; None if the host is not mapped."""
        for pattern in _patterns(host) if self._map else ():
            if pattern in self._map:
                return self._map[pattern]
        return None

    def permits(self, address: str, port: int, host: str = "") -> bool:
        """Return whether `host` may be reached at an address and port; anything but a valid address is refused."""
        target = self.target(host)
        if target is not None:
            return address == target[0] and target[1] in (0, port)
        parsed = _address(address)
        if parsed is None:
            return False
        return (self.public and is_global(parsed)) or self._within(parsed) or self._named(host)

    def names(self, host: str) -> bool:
        """Return whether an exception covers a host, by name, or by address if the host is one."""
        parsed = _address(host.strip("[]"))
        return self._within(parsed) if parsed else self.target(host) is not None or self._named(host)

    def _within(self, address: IPv4Address | IPv6Address) -> bool:
        plain = (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
        return any(plain in network for network in self._networks)

    def _named(self, host: str) -> bool:
        return bool(self._names) and any(pattern in self._names for pattern in _patterns(host))


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _patterns(host: str) -> list[str]:
    """Return the patterns that match a host, most specific first; addresses have none."""
    name = host.strip("[]").rstrip(".").lower()
    if _address(name) is not None:
        return []
    labels = name.split(".")
    return [name, *("*." + ".".join(labels[i:]) for i in range(1, len(labels)))]


def _network(entry: str) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return None


def _pattern(entry: str, setting: str) -> str:
    name = entry.rstrip(".").lower()
    if not _NAME.fullmatch(name) or name.replace(".", "").isdigit():
        raise SettingsError(
            f"'{entry}' in {setting} is not a host name.",
            "Write a name like 'intranet.example' or '*.example'"
            + (", an address or a network like '10.1.0.0/16'." if setting == "network.allow" else "."),
            SettingUnfit(setting=setting, rule=Rule.HOST),
        )
    return name


def _target(name: str, to: str) -> tuple[str, int]:
    """Parse "address:port", "[address]:port" or an address alone."""
    match = _TARGET.fullmatch(to)
    address = _address(match["bracketed"] or match["plain"] or match["bare"]) if match else None
    port = (match["port"] or match["plain_port"]) if match else None
    if address is None or (port is not None and not 0 < int(port) < 65536):
        raise SettingsError(
            f"'{to}' for '{name}' in network.map is not an address.",
            "Write it like '127.0.0.1:8099'.",
            SettingUnfit(setting="network.map", rule=Rule.ADDRESS),
        )
    return str(address), int(port or 0)
