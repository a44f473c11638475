"""The parameters of a generated web: everything needed to plan it again, byte for byte."""

from typing import Final, Literal

from msgspec import Struct

from thresher.errors import InputError
from thresher.simweb.lexicon import BREADTH, DEPTH

Profile = Literal["mixed", "finite", "clean"]
Words = Literal["coined", "english"]

LANGUAGES: Final = ("en", "de", "fr")
ENGLISH_LANGUAGES: Final = (("en",), ("en", "de"))
MAX_PAGES: Final = 5_000_000
MAX_TOPICS: Final = 400
MAX_GENERATION: Final = 1000


class WebParameters(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a generated web is made from; raises InputError for impossible numbers.

    `pages` and `hosts` count everything that has an address, including mirrors, redirects and error pages; `seed`
    decides every random choice. `profile` is `mixed` (everything that goes wrong on the web), `finite` (no traps,
    duplicates or timed answers) or `clean` (good pages only). Topics form a tree of `depth` levels in which every inner
    topic has `breadth` sub-topics. `locality` is the probability that a link in the text stays in its page's topic.
    Topics are written in the first of the `languages`; each further one gets a few hosts of off-topic pages. With every
    `generation`, some pages change and some vanish; addresses, links and topics stay as planned. A `documents` share of
    the plain pages is served as PDF, Word or ZIP files, with the same words and links. `words` are `coined`, or
    `english`: a readable web about a limited number of real topics, in English and German.

    >>> WebParameters(pages=500, hosts=20).topics
    12
    """

    pages: int = 2000
    hosts: int = 50
    seed: int = 0
    profile: Profile = "mixed"
    depth: int = 2
    breadth: int = 3
    locality: float = 0.5
    languages: tuple[str, ...] = LANGUAGES
    generation: int = 0
    documents: float = 0.0
    words: Words = "coined"

    def __post_init__(self) -> None:
        _within("pages", self.pages, 20, MAX_PAGES)
        _within("hosts", self.hosts, 2, self.pages // 2)
        _within("seed", self.seed, 0, 2**63 - 1)
        _within("depth", self.depth, 1, 4)
        _within("breadth", self.breadth, 2, 20)
        _within("generation", self.generation, 0, MAX_GENERATION)
        _within("locality", self.locality, 0.0, 1.0)
        _within("share of documents", self.documents, 0.0, 1.0)
        _within("number of topics", self.topics, 2, MAX_TOPICS)
        if self.profile not in ("mixed", "finite", "clean"):
            raise InputError(f"There is no profile '{self.profile}'.", "Use mixed, finite or clean.")
        unknown = [language for language in self.languages if language not in LANGUAGES]
        if unknown or not self.languages or len(set(self.languages)) < len(self.languages):
            raise InputError(
                f"The languages {', '.join(self.languages) or 'given'} cannot be used.",
                f"Choose one or more of {', '.join(LANGUAGES)}, each once.",
            )
        if self.words == "english":
            self._check_english()
        elif self.words != "coined":
            raise InputError(f"There are no words '{self.words}'.", "Use coined or english.")

    def _check_english(self) -> None:
        _within("depth", self.depth, 1, DEPTH)
        _within("breadth", self.breadth, 2, BREADTH)
        if self.languages not in ENGLISH_LANGUAGES:
            raise InputError(
                f"A web with english words cannot have the languages {', '.join(self.languages)}.",
                "Use en, or en and de.",
            )

    @property
    def topics(self) -> int:
        """The number of topics in the whole tree."""
        return sum(self.breadth**level for level in range(1, self.depth + 1))

    @property
    def timed(self) -> bool:
        """Whether some answers depend on the time of the request."""
        return self.profile == "mixed"


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"The {name} of a generated web cannot be {value}.", f"Give a number from {low} to {high}.")
