"""Hostile redirects: loops, other schemes, and every spelling of an address behind the crawler's own firewall."""

from typing import Final

from thresher.simweb.hostile.talk import Behaviour, ClientRequest, Sender, page

PRIVATE: Final = (
    "http://127.0.0.1:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0x7f.0.0.0x1:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://127.000.000.001:{port}/",
    "http://user:pass@127.0.0.1:{port}/",
    "http://public.example@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@public.example/",
    "http://１２７.０.０.１:{port}/",
    "http://127。0。0。1:{port}/",
    "http://%31%32%37.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://LOCALHOST.:{port}/",
    "http://0.0.0.0:{port}/",
    "http://0:{port}/",
    "http://127.255.255.254:{port}/",
    "http://[::1]:{port}/",
    "http://[::]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::127.0.0.1]:{port}/",
    "http://[64:ff9b:1::127.0.0.1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[2001:0:7f00:1::]:{port}/",
    "http://[fe80::1%25lo]:{port}/",
    "http://[fc00::1]:{port}/",
    "http://10.0.0.1:{port}/",
    "http://172.16.0.1:{port}/",
    "http://192.168.0.1:{port}/",
    "http://100.64.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "https://127.0.0.1:{port}/",
)
"""Redirect targets that no crawler may follow; `{port}` is the port of the forbidden listener."""

OTHER_SCHEMES: Final = (
    "file:///etc/passwd",
    "ftp://127.0.0.1:{port}/",
    "gopher://127.0.0.1:{port}/_GET",
    "data:text/html,<p>hello",
    "javascript:alert(1)",
    "ws://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http:",
    "http://",
    "http://[",
    "\\\\127.0.0.1:{port}\\x",
)
"""Redirect targets that are not web addresses, or different from what they seem."""


def _home(names: int) -> bytes:
    return b"".join(b"<p><a href=/%d>number %d</a>" % (number, number) for number in range(names))


def _leading(places: tuple[str, ...]) -> Behaviour:
    """Return a host whose numbered pages redirect to these targets."""

    async def behaviour(asked: ClientRequest, sender: Sender) -> None:
        number = asked.target.strip("/")
        if not number.isdigit() or int(number) >= len(places):
            await page(sender, _home(len(places)) if asked.target == "/" else b"")
            return
        await _redirect(sender, places[int(number)].format(port=asked.forbidden))

    return behaviour


async def _redirect(sender: Sender, to: str) -> None:
    await sender.send(b"HTTP/1.1 302 Found\r\nLocation: ", to.encode(), b"\r\nContent-Length: 0\r\n\r\n")


async def loop(asked: ClientRequest, sender: Sender) -> None:
    """Redirect between two addresses."""
    await _redirect(sender, "/b" if asked.target == "/" else "/")


async def chain(asked: ClientRequest, sender: Sender) -> None:
    """Send an endless chain of redirects."""
    number = asked.target.strip("/")
    await _redirect(sender, f"/{int(number) + 1 if number.isdigit() else 0}")


async def robots_loop(asked: ClientRequest, sender: Sender) -> None:
    """Redirect robots.txt forever."""
    await (_redirect(sender, "/robots.txt?again") if "robots" in asked.target else page(sender, b"<p>never seen"))


async def robots_inside(asked: ClientRequest, sender: Sender) -> None:
    """Redirect robots.txt to the crawler's own machine."""
    inside = f"http://127.0.0.1:{asked.forbidden}/robots.txt"
    await (_redirect(sender, inside) if "robots" in asked.target else page(sender, b"<p>never seen"))


REDIRECTS: Final[dict[str, Behaviour]] = {
    "private": _leading(PRIVATE),
    "schemes": _leading(OTHER_SCHEMES),
    "loop": loop,
    "chain": chain,
    "robots-loop": robots_loop,
    "robots-inside": robots_inside,
}
"""Behaviours by the first label of their hosts' names."""
