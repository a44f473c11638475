"""Nothing we need may force its licence on our users."""

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STRONG_COPYLEFT = re.compile(r"\b(A?GPL|GNU (Affero )?General Public)", re.IGNORECASE)
LESSER = re.compile(r"LGPL|Lesser General Public", re.IGNORECASE)


def locked(name: str) -> list[str]:
    text = (ROOT / name).read_text()
    return re.findall(r"^([A-Za-z0-9_.\-]+)==", text, re.MULTILINE)


def licence_of(package: str) -> str:
    """Return what a package says of its licence: expression, field and classifiers."""
    metadata = distribution(package).metadata
    told = [metadata.get("License-Expression") or "", (metadata.get("License") or "")[:200]]
    told += [value for value in metadata.get_all("Classifier") or [] if value.startswith("License")]
    return " | ".join(part for part in told if part)


def offends(licence: str) -> bool:
    """Tell whether a licence is GPL or AGPL with no other way out."""
    return bool(STRONG_COPYLEFT.search(LESSER.sub("", licence))) and " OR " not in licence


def installed(package: str) -> bool:
    """Tell whether a package is here; the locks also name those that only other systems need."""
    try:
        return bool(distribution(package))
    except PackageNotFoundError:
        return False


@pytest.mark.parametrize("package", list(filter(installed, locked("requirements-dev.lock"))))
def test_no_package_is_gpl(package: str) -> None:
    licence = licence_of(package)
    assert licence, f"{package} names no licence"
    assert not offends(licence), f"{package}: {licence}"


@pytest.mark.parametrize(
    ("licence", "wrong"),
    [
        ("AGPL-3.0", True),
        ("GNU General Public License v3", True),
        ("LGPL-2.1", False),
        ("MIT", False),
        ("GPL-2.0 OR MIT", False),
    ],
)
def test_rule_itself(licence: str, wrong: bool) -> None:
    assert offends(licence) is wrong


def test_every_direct_dependency_is_documented_with_its_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    document = (ROOT / "docs" / "DEPENDENCIES.md").read_text()
    for requirement in wanted:
        name = re.match(r"[A-Za-z0-9_.\-]+", requirement)[0]
        assert re.search(rf"^\| {re.escape(name)} \|[^|]+\|[^|]+\|[^|]+\|$", document, re.MULTILINE), name


def test_almost_all_locked_packages_are_looked_at() -> None:
    names = locked("requirements-dev.lock")
    assert sum(map(installed, names)) >= len(names) - 5


def test_locks_have_hashes_and_no_addresses() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        assert "--hash=sha256:" in text
        assert "://" not in text
    assert not (ROOT / "uv.lock").exists()
    assert set(locked("requirements.lock")) <= set(locked("requirements-dev.lock"))


def test_the_lock_of_what_browsers_load_in_tests_has_hashes_and_no_addresses() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert "integrity" in package or not name, name


def test_no_registry_host_is_named_anywhere() -> None:
    hosts = re.compile(
        "|".join(
            [r"pypi\." + "org", "pythonhosted" + r"\.org", r"registry\.npmjs" + r"\.org", r"deb\.debian" + r"\.org"]
        )
    )
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if (
            path.is_file()
            and not parts[0].startswith((".venv", ".git", ".hypothesis", ".mypy", ".ruff", ".pytest", "node_modules"))
            and "egg-info" not in str(path)
        ):
            found = hosts.search(path.read_text("utf-8", errors="ignore"))
            assert found is None, f"{path} names {found[0] if found else ''}"
