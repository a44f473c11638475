"""Main texts by trafilatura: reads JSON lines with `url` and `html`, writes JSON lines with `url` and `text`.

Run as a script by the interpreter of an environment with trafilatura; it imports nothing from this package.
"""

import json
import sys


def main() -> None:
    """Extract the text of every page without comments, as in trafilatura's own evaluation."""
    from trafilatura import extract  # type: ignore[import-not-found,unused-ignore]

    for line in sys.stdin:
        page = json.loads(line)
        text = extract(page["html"], include_comments=False, include_tables=True) or ""
        sys.stdout.write(json.dumps({"url": page["url"], "text": text}) + "\n")


if __name__ == "__main__":
    main()
