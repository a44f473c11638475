"""Meanings of settings in the reader's language; those in the model itself are English."""

import tomllib
from functools import cache
from importlib import resources

from thresher.config.describe import descriptions
from thresher.config.load import flat

_FOLDER = "setting_meanings"


@cache
def meanings_in(language: str) -> dict[str, str]:
    """Return the meanings of settings by dotted key in a language; settings without a translation are left out.

    >>> meanings_in("de")["manners.robots"], meanings_in("en")["manners.robots"]
    ('robots.txt befolgen.', 'Obey robots.txt.')
    """
    if language == "en":
        return descriptions()
    file = resources.files("thresher.portal").joinpath(_FOLDER, f"{language}.toml")
    return flat(tomllib.loads(file.read_text("utf-8"))) if file.is_file() else {}
