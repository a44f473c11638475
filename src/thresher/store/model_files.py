"""Locations of a portal's model files; the rows of `models` refer to them."""

from pathlib import Path
from typing import Final

FOLDER: Final = "models"
"""Folder of a portal that holds its models."""


def model_path(portal: Path, name: str) -> str:
    """Return the path of a model file of a portal by its name, empty for the empty name.

    >>> model_path(Path("/tmp"), "")
    ''
    """
    return str((portal / FOLDER / Path(name).name).resolve()) if name else ""


def pricing_file(model: Path) -> Path:
    """Return the file beside a model's that holds the classifier by which links are scored, where that is another.

    >>> str(pricing_file(Path("models/12ab.zip")))
    'models/12ab.pricing.zip'
    """
    return model.with_suffix(".pricing.zip")


def topics_digest_file(model: Path) -> Path:
    """Return the file beside a model's that holds the digest of its topics.

    >>> str(topics_digest_file(Path("models/12ab.zip")))
    'models/12ab.topics'
    """
    return model.with_suffix(".topics")
