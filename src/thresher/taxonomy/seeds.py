"""Seeds: start URLs, one per line."""

from msgspec import Struct

from thresher.errors import InputError
from thresher.types import Link
from thresher.web.urls import canonical


class Seeds(Struct, frozen=True):
    """Start URLs in order, each once, and the invalid lines."""

    links: list[Link]
    problems: list[str]


def some_seeds(text: str) -> Seeds:
    """Return the start pages in a text, at least one; raise InputError if there is none."""
    read = read_seeds(text)
    if not read.links:
        wrong = f" ({read.problems[0]})" if read.problems else ""
        raise InputError(f"There are no start pages in the seeds{wrong}.", "Write one http or https URL per line.")
    return read


def read_seeds(text: str) -> Seeds:
    """Read start URLs; blank lines and lines that begin with `#` are skipped, a bare host name gets `https://`.

    >>> seeds = read_seeds("http://a.test/\\n# note\\nhtp:/wrong\\nhttp://a.test")
    >>> [link.url for link in seeds.links], seeds.problems
    (['http://a.test/'], ["line 3: 'htp:/wrong' is not an http or https URL"])
    """
    found: dict[str, None] = {}
    problems: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        written = line.strip().lstrip("\ufeff")
        if not written or written.startswith("#"):
            continue
        url = canonical(written)
        if url is None and "://" not in written and ":" not in written and "." in written:
            url = canonical(f"https://{written}")
        if url is None:
            problems.append(f"line {number}: '{written[:200]}' is not an http or https URL")
        else:
            found[url] = None
    return Seeds([Link(url, "", 0, 0) for url in found], problems)
