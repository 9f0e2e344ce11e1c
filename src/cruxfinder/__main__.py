"""`python -m cruxfinder` is `crux`."""

from cruxfinder.cli.entry import run

if __name__ == "__main__":
    run()
