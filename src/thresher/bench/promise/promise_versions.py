"""What made the figures of a trial: the program, all its code but the commands, and the libraries that matter."""

import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import thresher
from thresher import __version__
from thresher.bench.code_digest import code_digest
from thresher.bench.versions import LIBRARIES


@cache
def promise_versions() -> dict[str, str]:
    """Return the versions behind a trial."""
    root = Path(thresher.__file__).parent
    parts = sorted(path.name for path in root.iterdir() if path.name not in ("cli", "bench", "__pycache__"))
    own = [part for part in parts if part.endswith(".py") or (root / part).is_dir()]
    bench = sorted((root / "bench").glob("*.py"))
    data = [root / "config/defaults.toml", root / "bench/promise/cells.toml"]
    return {
        "thresher": __version__,
        "code": code_digest([*own, "bench/promise", "bench/webs"], [*bench, *data]),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }
