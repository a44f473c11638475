"""The kinds of crawls that are phases of one way."""

from typing import Final

LEARN: Final = "learn"
HARVEST: Final = "harvest"
PHASES: Final = (LEARN, HARVEST)
"""They use the portal's present model also when they are resumed."""
