"""The `thresher` command, also `python -m thresher`; Ctrl-C prints one sentence, even during the first imports."""

import os
import sys


def run() -> None:
    """Run the command line and exit with the documented code."""
    try:
        from thresher.cli.main import call

        code = call(sys.argv[1:])
    except KeyboardInterrupt:
        os.write(2, b"Interrupted before anything was done.\n")
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    run()
