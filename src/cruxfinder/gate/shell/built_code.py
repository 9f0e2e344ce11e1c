"""What an interpreter's code builds from parts, in the language of that interpreter."""

from cruxfinder.gate.shell.literals import FOLDED_MAX, fold_literals, literals_in, literals_run
from cruxfinder.gate.shell.python_code import FoldedCode, fold_code
from cruxfinder.gate.shell.wrappers import PYTHONS


def read_built(program: str, code: str) -> FoldedCode:
    """The code with its constants put together; empty where it has none to put together."""
    if program in PYTHONS and (folded := fold_code(code)) is not None:
        return folded
    if len(code) > FOLDED_MAX:
        return FoldedCode(cut=True)
    plain = fold_literals(code)
    return FoldedCode(
        plain=plain if plain != code else "",
        texts=tuple(dict.fromkeys(literals_in(plain))) if plain != code else (),
        codes=tuple(dict.fromkeys(literals_run(plain))),
    )
