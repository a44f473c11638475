"""The built wheel works by itself: installed elsewhere, it runs the demo outside of the repository."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("src", "pyproject.toml", "README.md", "LICENSE")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, install it into a new environment and return the folder of its programs."""
    folder = tmp_path_factory.mktemp("wheel")
    source, made = folder / "source", folder / "made"
    source.mkdir()
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    building = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(made), str(source)]
    subprocess.run(building, check=True)
    (wheel,) = made.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    python = programs / "python"
    subprocess.run([python, "-m", "pip", "--quiet", "install", "--no-deps", "--no-index", str(wheel)], check=True)
    # What it depends on is that of this environment; a path in a .pth file brings none of its editable packages.
    packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    Path(packages.stdout.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return programs


def alone() -> dict[str, str]:
    """Return an environment that says nothing of the repository."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "THRESHER", "VIRTUAL"))}


def test_the_package_is_that_of_the_wheel_and_holds_every_file_it_reads(installed: Path, tmp_path: Path) -> None:
    asked = "import thresher; print(thresher.__file__)"
    found = subprocess.run(
        [installed / "python", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path, env=alone()
    )
    package = Path(found.stdout.strip()).parent
    assert package.is_relative_to(installed.parent)
    source = ROOT / "src" / "thresher"
    files = {
        path.relative_to(source) for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    assert sorted(map(str, files - {path.relative_to(package) for path in package.rglob("*")})) == []


def test_the_demo_runs_outside_of_the_repository(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [installed / "thresher", "demo", "--once", "--portal", "d", "--json"],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env=alone(),
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["pages"] >= 300
    listed = subprocess.run(
        [installed / "thresher", "pages", "d", "--json"], capture_output=True, check=True, cwd=tmp_path, env=alone()
    )
    assert json.loads(listed.stdout)["total"] > 100
