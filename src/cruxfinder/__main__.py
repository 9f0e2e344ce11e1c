"""`python -m cruxfinder` is `crux`."""

from cruxfinder.cli.main import run

if __name__ == "__main__":
    run()
