"""What Python code hands to a shell, to `exec` or to a database, seen through the expressions that build it."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cruxfinder.gate.shell.constant_folding import ConstantFolder, dotted_name

CODE_PARSED_MAX: Final = 100_000  # characters
NODES_MAX: Final = 60_000
TEXT_MIN: Final = 3
# Only code with one of these can do what the rules look for; other code need not be parsed.
_WORTH: Final = re.compile(
    r"system|popen|subprocess|\bexec|spawn|eval|compile|pipe|getoutput|remove|unlink|rmdir|rmtree|truncate|execute|query"
    r"|push|timeit|import\s*\(|import_module|getattr|\.run\b|write|open\s*\(",
    re.IGNORECASE,
)
_RUNS_CODE: Final = re.compile(
    r"(?:builtins\.)?(?:exec|eval|compile)|timeit\.(?:timeit|repeat|Timer)|c?[pP]rofile\.run(?:ctx)?|.*\.runsource"
    r"|.*\.run_cell|pdb\.run(?:eval)?"
)
_RUNS_COMMANDS: Final = re.compile(
    r"(?:os|posix|nt)\.(?:system|popen|exec\w+|spawn\w+|posix_spawnp?|startfile)|subprocess\.\w+|pty\.spawn"
    r"|commands\.\w+|asyncio\.create_subprocess_\w+|pydoc\.(?:pipe|temp)pager|(?:builtins\.)?(?:exec|eval|compile)"
    r"|(?:.*\.)?(?:system|popen\d?|Popen|check_output|check_call|getoutput|getstatusoutput)"
)
_COMMAND_KEYWORDS: Final = frozenset({"args", "cmd", "command", "source"})
_DECODERS: Final = frozenset(
    "chr fromhex b16decode b32decode b64decode b85decode a85decode urlsafe_b64decode standard_b64decode decodebytes"
    " unhexlify a2b_hex a2b_base64 decompress loads reversed translate maketrans".split()
)
_TEXT_CODECS: Final = re.compile(r"utf|ascii|latin|cp\d|iso", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedCode:
    """Python code with its constants computed."""

    plain: str = ""  # the code, with imported names spelt out
    texts: tuple[str, ...] = ()  # all texts in it
    codes: tuple[str, ...] = ()  # those that it runs as code
    hidden: bool = False  # it runs what it decodes from something unknown
    cut: bool = False  # some of it was not looked at


def fold_code(code: str) -> FoldedCode | None:
    """None where the text is no Python, or holds nothing that could matter."""
    if not _WORTH.search(code):
        return None
    if len(code) > CODE_PARSED_MAX:
        return FoldedCode(cut=True)
    try:
        tree = parse(code)
    except (SyntaxError, ValueError):
        return None
    except (RecursionError, MemoryError):
        return FoldedCode(cut=True)
    try:
        return read_tree(tree, len(code))
    except (RecursionError, MemoryError):
        return FoldedCode(cut=True)


def parse(code: str) -> ast.Module:
    with warnings.catch_warnings():  # the code's own, such as a stray backslash
        warnings.simplefilter("ignore")
        return ast.parse(code)


def read_tree(tree: ast.Module, length: int) -> FoldedCode:
    if sum(1 for _ in ast.walk(tree)) > NODES_MAX:
        return FoldedCode(cut=True)
    folder = ConstantFolder(tree, length)
    folder.visit(tree)
    decoded = names_of_decoded(tree)
    calls = [(dotted_name(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return FoldedCode(
        plain=unparse_tree(tree),
        texts=tuple(dict.fromkeys(texts_in(tree))),
        codes=tuple(
            dict.fromkeys(code for name, node in calls if _RUNS_CODE.fullmatch(name) for code in given_texts(node))
        ),
        hidden=any(_RUNS_COMMANDS.fullmatch(name) and hides(node, decoded) for name, node in calls),
        cut=folder.cut,
    )


def unparse_tree(tree: ast.Module) -> str:
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except ValueError:  # a backslash within an expression of an f-string
        return ""


def texts_in(tree: ast.AST) -> Iterator[str]:
    """Texts, and lists of texts as the command that they are."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if len(text) >= TEXT_MIN:
                yield text
            case ast.Constant(value=bytes() as data) if len(data) >= TEXT_MIN:
                yield data.decode("latin-1")
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                words = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
                if len(words) > 1:
                    yield " ".join(words)
            case _:
                pass


def given_texts(call: ast.Call) -> Iterator[str]:
    for given in (*call.args, *(keyword.value for keyword in call.keywords)):
        if isinstance(given, ast.Call):  # exec(compile('…', '', 'exec')): the inner call is looked at by itself
            continue
        if isinstance(given, ast.Constant) and isinstance(given.value, (str, bytes)) and len(given.value) >= TEXT_MIN:
            yield given.value if isinstance(given.value, str) else given.value.decode("latin-1")


# ---- what is decoded from something unknown


def hides(call: ast.Call, decoded: frozenset[str]) -> bool:
    """Is what a call runs decoded, reversed or put together from the codes of characters?"""
    named = [keyword.value for keyword in call.keywords if keyword.arg in _COMMAND_KEYWORDS]
    for given in (*call.args[:1], *named):
        run = given.elts[:1] if isinstance(given, (ast.List, ast.Tuple)) else [given]
        if any(is_decoded(one, decoded) for one in run):
            return True
    return False


def is_decoded(tree: ast.AST, decoded: frozenset[str] = frozenset()) -> bool:
    return any(decodes(node) or (isinstance(node, ast.Name) and node.id in decoded) for node in ast.walk(tree))


def decodes(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub()))):
            return True
        case ast.Call(func=ast.Attribute(attr="decode"), args=[ast.Constant(value=str() as codec), *_]):
            return _TEXT_CODECS.match(codec) is None
        case ast.Call(func=ast.Attribute(value=ast.Name(id="json" | "yaml" | "tomllib" | "toml"))):
            return False
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name in _DECODERS
        case ast.Name(id="chr"):
            return True
        case _:
            return False


def names_of_decoded(tree: ast.AST) -> frozenset[str]:
    """Variables that hold something decoded."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and is_decoded(node.value):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return frozenset(found)
