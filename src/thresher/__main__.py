"""The `thresher` command, also as `python -m thresher`; Ctrl-C is an end in one sentence from the first import on."""

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
