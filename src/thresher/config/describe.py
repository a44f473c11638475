"""The descriptions of the settings."""

from pydantic import BaseModel

from thresher.config.settings import Settings


def description(key: str) -> str:
    """Return the description of a setting by dotted key; empty for user-defined keys.

    >>> description("manners.robots")
    'Obey robots.txt.'
    """
    return descriptions().get(key, "")


def descriptions() -> dict[str, str]:
    """Return the description of every setting, by dotted key."""
    found: dict[str, str] = {}
    for section, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            for name, inner in kind.model_fields.items():
                found[f"{section}.{name}"] = inner.description or ""
        else:
            found[section] = field.description or ""
    return found
