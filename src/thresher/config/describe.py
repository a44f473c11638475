"""What each setting means, in the words of the model."""

from pydantic import BaseModel

from thresher.config.settings import Settings


def description(key: str) -> str:
    """Return the meaning of a setting by its dotted key; empty if it is the user's own.

    >>> description("manners.robots")
    'Obey robots.txt.'
    """
    return descriptions().get(key, "")


def descriptions() -> dict[str, str]:
    """Return the meaning of every setting, by dotted key."""
    found: dict[str, str] = {}
    for section, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            for name, inner in kind.model_fields.items():
                found[f"{section}.{name}"] = inner.description or ""
        else:
            found[section] = field.description or ""
    return found
