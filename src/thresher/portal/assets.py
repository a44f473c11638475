"""Style sheets and scripts, under names that change with their content so browsers can cache them forever."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from msgspec import Struct

_TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Asset(Struct, frozen=True):
    """A file that browsers load: its address, type and content."""

    address: str
    mime: str
    body: bytes


@cache
def assets() -> Mapping[str, Asset]:
    """Return the assets by file name: our own, and third-party ones if installed."""
    found: dict[str, Asset] = {}
    own = resources.files("thresher.portal").joinpath("static")
    vendor = own.joinpath("vendor")
    for file in (*own.iterdir(), *(vendor.iterdir() if vendor.is_dir() else ())):
        stem, _, ending = file.name.rpartition(".")
        mime = _TYPES.get(f".{ending}")
        if mime is not None:
            body = file.read_bytes()
            mark = hashlib.sha256(body).hexdigest()[:12]
            found[file.name] = Asset(f"/static/{stem}.{mark}.{ending}", mime, body)
    return found


def asset_at(address: str) -> Asset | None:
    """Return the asset at an address, or None."""
    return next((asset for asset in assets().values() if asset.address == address), None)
