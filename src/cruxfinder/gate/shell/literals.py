"""Texts in code of any language, put together as the code would: escapes, codes of characters, joins and reversals."""

import re
from collections.abc import Iterator
from typing import Final

LITERAL_MAX: Final = 200  # characters of a text that is put together with others
FOLDED_MAX: Final = 200_000  # characters of code
ROUNDS: Final = 3  # joins within joins
_TEXT: Final = rf"(?<!\\)(?:'(?:[^'\\\n]|\\.){{0,{LITERAL_MAX}}}+'|\"(?:[^\"\\\n]|\\.){{0,{LITERAL_MAX}}}+\")"
_NUMBERS: Final = r"[\d\s,]{1,2000}+"
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([01][0-7]{2}))")
_CODES: Final = re.compile(
    rf"(?:String\s?\.\s?from(?:CharCode|CodePoint)|\bm?b?_?chr|Buffer\.from|bytes|\bpack\s?\(\s?['\"][aAcCU]\*['\"]\s?,)\s?"
    rf"\(?\s?\[?({_NUMBERS})\]?\s?\)(?:\.(?:toString|decode)\(\))?"
    rf"|\[({_NUMBERS})\]\.pack\s?\(?['\"][cCU]\*['\"]\)?|\b(\d{{2,3}})\.chr\b"
)
_REVERSED: Final = re.compile(
    rf"(?:\bstrrev|\breverse|\bscalar\s?\(?\s?reverse)\s?\(?\s?({_TEXT})\s?\)?"
    rf"|({_TEXT})(?:\.split\(['\"]{{2}}\)\.reverse\(\)\.join\(['\"]{{2}}\)|\.reverse\b|\[::-1\])"
)
_LISTED: Final = rf"{_TEXT}(?:\s?,\s?{_TEXT}){{0,40}}+"
_LIST_JOINED: Final = re.compile(
    rf"\[\s?({_LISTED})\s?\]\.join\s?\(?\s?({_TEXT})?\s?\)?"
    rf"|\b(?:join|implode)\s?\(\s?({_TEXT})\s?,\s?[\[(]?\s?({_LISTED})\s?[\])]?\s?\)"
)
_FORMATTED: Final = re.compile(
    rf"\bs?printf\s?\(\s?({_TEXT})\s?,\s?({_LISTED})\s?\)|({_TEXT})\s?%\s?[\[(]?\s?({_LISTED})\s?[\])]?"
)
_CHAIN: Final = re.compile(rf"{_TEXT}(?:\s?(?:\+|\.|<<)\s?{_TEXT}){{1,400}}+")
_ONE: Final = re.compile(_TEXT)
_RUN_CODE: Final = re.compile(
    rf"\b(?:eval|exec|Function|instance_eval|class_eval|runInThisContext|runInNewContext|assert)\s?\(?\s?({_TEXT})"
)
_BUILT: Final = re.compile(
    r"\\[xu0-7]|chr\b|fromC|\.pack|\bpack\b|Buffer|rev|join|implode|printf|[%+.<]\s?['\"]|eval|bytes"
)
_SIGNS: Final = frozenset("'\"\\`\n\r")


def fold_literals(code: str) -> str:
    """The code with texts that are built from constants written as the texts they come to."""
    if not _BUILT.search(code):
        return code
    code = _ESCAPE.sub(unescape, code)
    code = _CODES.sub(lambda found: quote_literal(characters(found[1] or found[2] or found[3])) or found.group(), code)
    for _ in range(ROUNDS):
        before = code
        code = _REVERSED.sub(lambda found: quote_literal(content(found[1] or found[2])[::-1]) or found.group(), code)
        code = _LIST_JOINED.sub(join_list, code)
        code = _FORMATTED.sub(fill_in, code)
        code = _CHAIN.sub(lambda found: quote_literal("".join(contents(found.group()))) or found.group(), code)
        if code == before:
            break
    return code


def literals_in(code: str) -> Iterator[str]:
    return (content(found.group()) for found in _ONE.finditer(code))


def literals_run(code: str) -> Iterator[str]:
    """Texts that code runs as code of its own language."""
    return (content(found[1]) for found in _RUN_CODE.finditer(code))


def unescape(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    number = int(digits, 16) if digits else int(found[4], 8)
    sign = chr(number) if number < 0x110000 else ""
    return sign if sign.isprintable() and sign not in _SIGNS and sign else found.group()


def characters(numbers: str) -> str:
    codes = [int(number[:8]) for number in re.findall(r"\d+", numbers)]
    return "".join(map(chr, codes)) if all(0 < code < 0x110000 for code in codes) else ""


def content(literal: str) -> str:
    return literal[1:-1].replace("\\'", "'").replace('\\"', '"')


def contents(literals: str) -> list[str]:
    return [content(found.group()) for found in _ONE.finditer(literals)]


def quote_literal(text: str) -> str:
    """A text as a literal; empty where it cannot be one."""
    if not text or "\\" in text or "\n" in text:
        return ""
    if "'" not in text:
        return f"'{text}'"
    return f'"{text}"' if '"' not in text else ""


def join_list(found: re.Match[str]) -> str:
    between, parts = (found[2], found[1]) if found[1] else (found[3], found[4])
    return quote_literal((content(between) if between else "").join(contents(parts))) or found.group()


def fill_in(found: re.Match[str]) -> str:
    pattern, given = (found[1], found[2]) if found[1] else (found[3], found[4])
    text = content(pattern)
    for part in contents(given):
        text = text.replace("%s", part, 1)
    return quote_literal(text) or found.group()
