"""The JSON Schemas (2020-12) that every result and all minutes keep to, as the package ships them."""

from importlib.resources import files


def result_schema() -> str:
    """The text of `result.json`: what a debate for its crux came to."""
    return files(__name__).joinpath("result.json").read_text(encoding="utf-8")


def minutes_schema() -> str:
    """The text of `minutes.json`: what a conversation in turns came to."""
    return files(__name__).joinpath("minutes.json").read_text(encoding="utf-8")
