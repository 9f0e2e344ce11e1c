"""The JSON Schema (2020-12) that every result keeps to, as the package ships it."""

from importlib.resources import files


def schema() -> str:
    """The text of `result.json`."""
    return files(__name__).joinpath("result.json").read_text(encoding="utf-8")
