"""Functions and methods of Python that only turn constants into constants, each bounded in what it yields."""

import base64
import binascii
import codecs
import re
import shlex
import zlib
from collections.abc import Callable, Mapping
from typing import Final

VALUE_MAX: Final = 20_000  # characters of a value
ITEMS_MAX: Final = 5_000  # of a list
Value = str | bytes | int | list["Value"]
REFUSALS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    MemoryError,
    binascii.Error,
    zlib.error,
)
CODECS: Final = frozenset(
    "utf8 utf_8 ascii us_ascii latin1 latin_1 iso8859_1 utf16 utf_16 utf_16_le utf_16_be utf_32 utf_7 unicode_escape"
    " raw_unicode_escape rot13 rot_13 hex hex_codec base64 base64_codec".split()
)
PLAIN_METHODS: Final = frozenset(  # of texts and bytes, whose result is no longer than what they are given
    "lower upper strip lstrip rstrip title swapcase capitalize casefold removeprefix removesuffix split rsplit"
    " splitlines hex".split()
)
_WIDE: Final = re.compile(r"\d{4}|\*|\{[^{}]{0,80}\{")  # a format that asks for a long text


def size_of(value: Value) -> int:
    if isinstance(value, list):
        return sum(map(size_of, value)) + len(value)
    return 8 if isinstance(value, int) else len(value)


def call_method(value: Value, method: str, given: list[Value], named: Mapping[str, Value]) -> Value:
    """What a method of a constant gives."""
    match method, value:
        case "%", str() if not _WIDE.search(value):
            return check_size(value % tuple(given))
        case "format", str() if not _WIDE.search(value):
            return check_size(value.format(*given, **named))
        case "join", str() | bytes() if len(given) == 1 and isinstance(given[0], list):
            return join(value, given[0])
        case "replace", str():
            old, new = text_of(given[0]), text_of(given[1])
            if len(new) * (len(value) + 1) > VALUE_MAX * 4:
                raise ValueError
            return check_size(value.replace(old, new))
        case "decode" | "encode", str() | bytes():
            return recode(value, text_of([*given, *named.values(), "utf8"][0]))
        case "fromhex", _:
            return bytes.fromhex(text_of(given[0]))
        case _, str() if method in PLAIN_METHODS:
            made: Value = getattr(value, method)(*given)
            return made
        case _, bytes() if method in PLAIN_METHODS:
            made = getattr(value, method)(*given)
            return made
        case _:
            raise TypeError


def join(between: str | bytes, parts: list[Value]) -> Value:
    if len(between) * len(parts) > VALUE_MAX:
        raise ValueError
    if isinstance(between, str):
        return check_size(between.join(text_of(part) for part in parts))
    return check_size(between.join(bytes_of(part) for part in parts))


def recode(value: str | bytes, codec: str) -> Value:
    if codec.lower().replace("-", "_") not in CODECS:
        raise LookupError
    if isinstance(value, bytes):
        return check_size(text_or_bytes(codecs.decode(value, codec)))
    if codec.lower().replace("-", "_") in ("rot13", "rot_13"):
        return codecs.decode(value, "rot13")
    if codec.lower().startswith(("hex", "base64")):
        return check_size(text_or_bytes(codecs.decode(value.encode(), codec)))
    return check_size(value.encode(codec))


def text_or_bytes(value: object) -> Value:
    if isinstance(value, (str, bytes)):
        return value
    raise TypeError


def check_size(value: Value) -> Value:
    if size_of(value) > VALUE_MAX:
        raise ValueError
    return value


def text_of(value: Value) -> str:
    if isinstance(value, str):
        return value
    raise TypeError


def bytes_of(value: Value) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    raise TypeError


def number_of(value: Value) -> int:
    if isinstance(value, int):
        return value
    raise TypeError


def list_of(value: Value) -> list[Value]:
    if isinstance(value, int) or len(value) > ITEMS_MAX:
        raise TypeError
    return [*value]


def make_bytes(given: list[Value]) -> bytes:
    if isinstance(given[0], list):
        return bytes(number_of(item) for item in given[0])
    return bytes_of(given[0])


def make_text(given: list[Value]) -> Value:
    if isinstance(given[0], list):
        raise TypeError
    return recode(given[0], text_of(given[1])) if isinstance(given[0], bytes) and given[1:] else str(given[0])


FUNCTIONS: Final[dict[str, Callable[[list[Value]], Value]]] = {
    "chr": lambda given: chr(number_of(given[0])),
    "ord": lambda given: ord(text_of(given[0])),
    "int": lambda given: int(text_of(given[0])[:40], number_of(given[1]) if given[1:] else 10),
    "str": make_text,
    "bytes": make_bytes,
    "bytearray": make_bytes,
    "list": lambda given: list_of(given[0]),
    "tuple": lambda given: list_of(given[0]),
    "reversed": lambda given: list_of(given[0])[::-1],
    "bytes.fromhex": lambda given: bytes.fromhex(text_of(given[0])),
    "bytearray.fromhex": lambda given: bytes.fromhex(text_of(given[0])),
    "bytes.decode": lambda given: recode(bytes_of(given[0]), text_of([*given, "utf8"][1])),
    "str.join": lambda given: join(text_of(given[0]), list_of(given[1])),
    "codecs.decode": lambda given: recode(
        given[0] if isinstance(given[0], str) else bytes_of(given[0]), text_of(given[1])
    ),
    "codecs.encode": lambda given: recode(text_of(given[0]), text_of(given[1])),
    "base64.b64decode": lambda given: base64.b64decode(bytes_of(given[0])),
    "base64.standard_b64decode": lambda given: base64.b64decode(bytes_of(given[0])),
    "base64.decodebytes": lambda given: base64.b64decode(bytes_of(given[0])),
    "base64.urlsafe_b64decode": lambda given: base64.urlsafe_b64decode(bytes_of(given[0])),
    "base64.b32decode": lambda given: base64.b32decode(bytes_of(given[0])),
    "base64.b16decode": lambda given: base64.b16decode(bytes_of(given[0])),
    "base64.b85decode": lambda given: base64.b85decode(bytes_of(given[0])),
    "base64.a85decode": lambda given: base64.a85decode(bytes_of(given[0])),
    "binascii.unhexlify": lambda given: binascii.unhexlify(bytes_of(given[0])),
    "binascii.a2b_hex": lambda given: binascii.unhexlify(bytes_of(given[0])),
    "binascii.a2b_base64": lambda given: binascii.a2b_base64(bytes_of(given[0])),
    "zlib.decompress": lambda given: zlib.decompressobj().decompress(bytes_of(given[0]), VALUE_MAX),
    "shlex.split": lambda given: [*shlex.split(text_of(given[0])[:VALUE_MAX])],
    "shlex.join": lambda given: shlex.join(text_of(item) for item in list_of(given[0])),
    "os.path.expanduser": lambda given: text_of(given[0]),
    "os.path.expandvars": lambda given: text_of(given[0]),
    "os.path.join": lambda given: "/".join(text_of(item) for item in given),
}


def call_function(name: str, given: list[Value]) -> Value:
    """What a function of the language or its library gives for constants."""
    if name not in FUNCTIONS or not given:
        raise LookupError
    return check_size(FUNCTIONS[name](given))
