"""Locations of a portal's model files; the rows of `models` refer to them."""

from pathlib import Path
from typing import Final

FOLDER: Final = "models"
"""Folder of a portal with its models."""


def model_path(portal: Path, name: str) -> str:
    """Return the path of a portal's model file by name; empty for an empty name.

    >>> model_path(Path("/tmp"), "")
    ''
    """
    return str((portal / FOLDER / Path(name).name).resolve()) if name else ""


def pricing_file(model: Path) -> Path:
    """Return the file next to a model with a separate classifier for scoring links; it need not exist.

    >>> str(pricing_file(Path("models/12ab.zip")))
    'models/12ab.pricing.zip'
    """
    return model.with_suffix(".pricing.zip")


def topics_digest_file(model: Path) -> Path:
    """Return the file next to a model with the digest of its topics.

    >>> str(topics_digest_file(Path("models/12ab.zip")))
    'models/12ab.topics'
    """
    return model.with_suffix(".topics")
