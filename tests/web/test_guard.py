"""The network guard: what is global, exceptions that widen for what they name only, and bad settings."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import SettingsError
from thresher.web.guard import AddressGuard, is_global

FORBIDDEN = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::2",
    "::7f00:1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::10.1.2.3",
    "64:ff9b:1::1",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "2001::1",
    "2001:0:808:808::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:1ff::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a00:1::5",
    "2002:c0a8:101::",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]

GLOBAL = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "192.167.255.255",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700::1",
    "2001:4860:4860::8888",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_addresses_that_are_not_global(address: str) -> None:
    assert not is_global(ip_address(address))
    assert not AddressGuard().permits(address, 80, "a.example")


@pytest.mark.parametrize("address", GLOBAL)
def test_global_addresses(address: str) -> None:
    assert is_global(ip_address(address))
    assert AddressGuard().permits(address, 80, "a.example")
    assert not AddressGuard(public=False).permits(address, 80, "a.example")


@given(st.ip_addresses(v=4))
def test_no_wrapping_makes_an_address_better(address: IPv4Address) -> None:
    inside = int(address)
    for wrapped in (0xFFFF << 32 | inside, 0x64FF9B << 96 | inside, 0x2002 << 112 | inside << 80):
        assert not is_global(IPv6Address(wrapped)) or is_global(address)


@given(st.ip_addresses(v=4))
def test_the_guard_is_at_least_as_strict_as_the_standard_library(address: IPv4Address) -> None:
    assert not is_global(address) or (address.is_global and not address.is_multicast)


def test_an_allowed_network_widens_for_itself() -> None:
    guard = AddressGuard(allow=["10.1.0.0/16", "192.168.7.7", "fd00::/8", "[::1]"])
    for address in ("10.1.2.3", "::ffff:10.1.2.3", "192.168.7.7", "fd12::1", "::1"):
        assert guard.permits(address, 80, "any.example"), address
    for address in ("10.2.0.1", "192.168.7.8", "127.0.0.1", "fe80::1", "64:ff9b::10.1.2.3", "::2"):
        assert not guard.permits(address, 80, "any.example"), address


def test_an_allowed_name_widens_for_itself() -> None:
    guard = AddressGuard(allow=["Intranet.example", "*.corp.example."])
    for host in ("intranet.example", "INTRANET.EXAMPLE.", "a.corp.example", "a.b.corp.example"):
        assert guard.permits("10.0.0.1", 80, host), host
    for host in ("", "www.intranet.example", "corp.example", "xcorp.example", "corp.example.evil", "10.0.0.1"):
        assert not guard.permits("10.0.0.1", 80, host), host


def test_the_map_allows_one_address_and_port_for_its_names() -> None:
    guard = AddressGuard(mapped={"*.test": "127.0.0.1:8099", "own.test": "[::1]:81", "plain.example": "10.0.0.9"})
    assert guard.target("a.b.TEST.") == ("127.0.0.1", 8099)
    assert guard.target("own.test") == ("::1", 81)
    assert guard.target("plain.example") == ("10.0.0.9", 0)
    assert guard.target("test") is None
    assert guard.permits("127.0.0.1", 8099, "a.test")
    assert guard.permits("10.0.0.9", 1234, "plain.example")
    for address, port, host in [
        ("127.0.0.1", 8098, "a.test"),
        ("127.0.0.2", 8099, "a.test"),
        ("8.8.8.8", 8099, "a.test"),
        ("127.0.0.1", 8099, "a.example"),
        ("127.0.0.1", 8099, "127.0.0.1"),
        ("127.0.0.1", 8099, ""),
        ("127.0.0.1", 8099, "test"),
        ("127.0.0.1", 8099, "own.test"),
    ]:
        assert not guard.permits(address, port, host), (address, port, host)


def test_what_is_no_address_is_refused() -> None:
    guard = AddressGuard(allow=["intranet.example", "0.0.0.0/0"])
    for address in ("", "localhost", "127.1", "0x7f000001", "1.2.3.4.5", "[::1]", "::1%"):
        assert not guard.permits(address, 80, "intranet.example"), address


def test_names_tells_whether_an_exception_speaks_of_a_host() -> None:
    guard = AddressGuard(allow=["10.0.0.0/8", "intranet.example"], mapped={"*.test": "127.0.0.1:1"})
    assert all(guard.names(host) for host in ("10.1.1.1", "intranet.example", "a.test"))
    assert not any(guard.names(host) for host in ("11.1.1.1", "example.com", "test", "[::1]", ""))


@pytest.mark.parametrize("entry", ["", "a b", "http://a.test", "10.0.0.0/99", "*", "a.*.b", "1.2.3", "ü.test", "a..b"])
def test_a_bad_exception_is_named(entry: str) -> None:
    with pytest.raises(SettingsError, match="not a host name") as caught:
        AddressGuard(allow=[entry])
    assert caught.value.remedy


@pytest.mark.parametrize("to", ["", "localhost:80", "127.0.0.1:0", "1.1.1.1:99999", "1.1.1.1:x", "1.2:80", "::1]:8"])
def test_a_bad_target_is_named(to: str) -> None:
    with pytest.raises(SettingsError, match="not an address"):
        AddressGuard(mapped={"*.test": to})


@given(st.text(max_size=30), st.integers(), st.text(max_size=30))
def test_judging_never_raises(address: str, port: int, host: str) -> None:
    guard = AddressGuard(allow=["*.example"], mapped={"*.test": "127.0.0.1:1"})
    assert guard.permits(address, port, host) in (True, False)
    assert guard.names(host) in (True, False)
