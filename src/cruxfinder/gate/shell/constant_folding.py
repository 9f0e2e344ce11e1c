"""Computes the constant expressions in Python code without running any of it, so that what it builds can be read.

`'%s -rf ~' % 'rm'`, `'~ fr- mr'[::-1]`, `chr(114) + 'm'` and `bytes.fromhex(…).decode()` become the texts they come to;
names under which a module was imported become the module's own. Only listed operations on texts, bytes, numbers and
lists are done, each bounded in the length of what it yields.
"""

import ast
import copy
from collections.abc import Callable, Sequence
from typing import Final

from cruxfinder.gate.shell.constant_calls import (
    FUNCTIONS,
    ITEMS_MAX,
    REFUSALS,
    VALUE_MAX,
    Value,
    call_function,
    call_method,
    size_of,
)

NUMBER_MAX: Final = 1 << 40
ELEMENT_NODES_MAX: Final = 60  # of an expression that is computed for each item of a list
GROWTH: Final = 8  # characters that may be computed for each character of code
GROWTH_FREE: Final = 30_000
CONVERSIONS: Final[dict[int, Callable[[Value], str]]] = {-1: str, 115: str, 114: repr, 97: ascii}


class NotConstantError(ValueError):
    """An expression depends on what only a running program knows."""


def value_of(node: ast.expr | None) -> Value:
    """The value that a folded expression stands for."""
    match node:
        case ast.Constant(value=str() | bytes() | int() as value):
            return value
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if len(elements) <= ITEMS_MAX:
            return [value_of(element) for element in elements]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case _:
            raise NotConstantError


def node_of(value: Value) -> ast.expr:
    if isinstance(value, list):
        return ast.List(elts=[node_of(item) for item in value], ctx=ast.Load())
    return ast.Constant(value=value)


def dotted_name(node: ast.expr) -> str:
    """`os.path.join` as it is written; empty where it is no plain name."""
    parts = list[str]()
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def imported_names(tree: ast.AST) -> dict[str, str]:
    """Under which names the code has which modules and functions, where those differ."""
    found, taken = dict[str, str](), list[tuple[str, str]]()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found.update({one.asname: one.name for one in names if one.asname})
            case ast.ImportFrom(module=str() as module, names=names):
                found.update({one.asname or one.name: f"{module}.{one.name}" for one in names})
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as value) if dotted_name(value):
                taken.append((name, dotted_name(value)))
            case _:
                pass
    for name, source in taken:
        root, _, rest = source.partition(".")
        found.setdefault(name, f"{found.get(root, root)}.{rest}")
    return found


class ConstantFolder(ast.NodeTransformer):
    """Puts constants in the place of expressions that come to one, from the inside out."""

    def __init__(self, tree: ast.AST, length: int) -> None:
        self.names = imported_names(tree)
        self.constants = dict[str, ast.expr]()
        self.left = GROWTH * length + GROWTH_FREE
        self.cut = False

    def fold(self, node: ast.expr, compute: Callable[[], Value]) -> ast.expr:
        if self.cut:
            return node
        try:
            value = compute()
        except REFUSALS:
            return node
        self.left -= size_of(value)
        if self.left < 0:
            self.cut = True
            return node
        return ast.copy_location(node_of(value), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.assign(target.id, node.value)
            elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                for one, value in zip(target.elts, node.value.elts, strict=False):
                    if isinstance(one, ast.Name):
                        self.assign(one.id, value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and (before := self.constants.pop(node.target.id, None)):
            value = node.value
            self.assign(
                node.target.id, self.fold(value, lambda: apply_operator(node.op, value_of(before), value_of(value)))
            )
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        self.generic_visit(node)
        self.assign(node.target.id, node.value)
        return node.value if node.target.id in self.constants else node

    def assign(self, name: str, value: ast.expr) -> None:
        self.constants.pop(name, None)
        try:
            if size_of(value_of(value)) <= VALUE_MAX:
                self.constants[name] = value
        except NotConstantError:
            pass

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            self.constants.pop(node.id, None)
            return node
        if (value := self.constants.get(node.id)) is not None:
            return self.fold(node, lambda: value_of(value))
        if node.id in self.names:
            first, *rest = self.names[node.id].split(".")
            made: ast.expr = ast.Name(id=first, ctx=ast.Load())
            for part in rest:
                made = ast.Attribute(value=made, attr=part, ctx=ast.Load())
            return made
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self.fold(node, lambda: apply_operator(node.op, value_of(node.left), value_of(node.right)))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)

        def text() -> Value:
            parts = list[str]()
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    if part.format_spec is not None:
                        raise NotConstantError
                    parts.append(CONVERSIONS[part.conversion](value_of(part.value)))
                else:
                    parts.append(str(value_of(part)))
            return check_size("".join(parts))

        return self.fold(node, text)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return self.fold(node, lambda: subscript(value_of(node.value), node.slice))

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self.fold_comprehension(node, node.elt, node.generators)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self.fold_comprehension(node, node.elt, node.generators)

    def fold_comprehension(self, node: ast.expr, element: ast.expr, loops: Sequence[ast.comprehension]) -> ast.AST:
        """A list that is computed from another one, item by item."""
        first = loops[0]
        first.iter = self.visit(first.iter)
        known = len(loops) == 1 and not first.ifs and isinstance(first.target, ast.Name)
        if not known or sum(1 for _ in ast.walk(element)) > ELEMENT_NODES_MAX:
            self.generic_visit(node)
            return node
        try:
            items = items_of(value_of(first.iter))
        except NotConstantError:
            self.generic_visit(node)
            return node
        assert isinstance(first.target, ast.Name)
        return self.fold(
            node, lambda: [self.evaluate_for_item(dotted_name(first.target), item, element) for item in items]
        )

    def evaluate_for_item(self, name: str, item: Value, element: ast.expr) -> Value:
        self.left -= ELEMENT_NODES_MAX
        if self.left < 0:
            self.cut = True
            raise NotConstantError
        before = self.constants.get(name)
        self.constants[name] = node_of(item)
        try:
            return value_of(self.visit(copy.deepcopy(element)))
        finally:
            if before is None:
                self.constants.pop(name, None)
            else:
                self.constants[name] = before

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)

        def result() -> Value:
            function = node.func
            if isinstance(function, ast.Attribute) and not dotted_name(function):
                named = {one.arg: value_of(one.value) for one in node.keywords if one.arg}
                return call_method(value_of(function.value), function.attr, [value_of(one) for one in node.args], named)
            name = dotted_name(function)
            if name == "map" and len(node.args) == 2:
                mapped = dotted_name(node.args[0])
                return [call_function(mapped, [item]) for item in items_of(value_of(node.args[1]))]
            if name not in FUNCTIONS:
                raise NotConstantError
            named = {one.arg: value_of(one.value) for one in node.keywords if one.arg}
            return call_function(name, [*(value_of(one) for one in node.args), *named.values()])

        return self.fold(node, result)


def check_size(value: Value) -> Value:
    if size_of(value) > VALUE_MAX:
        raise NotConstantError
    return value


def items_of(value: Value) -> list[Value]:
    if isinstance(value, int) or len(value) > ITEMS_MAX:
        raise NotConstantError
    return [*value]


def apply_operator(sign: ast.operator, left: Value, right: Value) -> Value:
    match sign, left, right:
        case ast.Add(), str(), str():
            return check_size(left + right)
        case ast.Add(), bytes(), bytes():
            return check_size(left + right)
        case ast.Add(), list(), list():
            return check_size([*left, *right])
        case ast.Mod(), str(), _:
            return check_size(call_method(left, "%", right if isinstance(right, list) else [right], {}))
        case ast.Mult(), str() | bytes(), int() if 0 <= right * len(left) <= VALUE_MAX:
            return left * right
        case _, int(), int() if abs(left) < NUMBER_MAX and abs(right) < NUMBER_MAX:
            return calculate(sign, left, right)
        case _:
            raise NotConstantError


def calculate(sign: ast.operator, left: int, right: int) -> int:
    match sign:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.BitXor():
            return left ^ right
        case ast.FloorDiv() | ast.Mod() if right:
            return left // right if isinstance(sign, ast.FloorDiv) else left % right
        case _:
            raise NotConstantError


def subscript(value: Value, place: ast.expr) -> Value:
    if isinstance(value, int):
        raise NotConstantError
    if isinstance(place, ast.Slice):
        ends = [None if end is None else value_of(end) for end in (place.lower, place.upper, place.step)]
        start, stop, step = (end if isinstance(end, int) else None for end in ends)
        return value[start:stop:step]
    at = value_of(place)
    if not isinstance(at, int):
        raise NotConstantError
    return value[at]
