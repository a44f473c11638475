"""`python -m thresher` is the `thresher` command."""

from thresher.cli.main import run

if __name__ == "__main__":
    run()
