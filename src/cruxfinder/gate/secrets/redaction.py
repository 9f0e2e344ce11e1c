"""What may never be written down: keys, passwords and tokens leave a mark where they stood; all else stays readable."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cruxfinder.gate.secrets import secret_forms as forms
from cruxfinder.gate.secrets import secret_scripts as scripts

MARK: Final = "[redacted]"
ROUNDS: Final = 5  # a mark can bring to light what its text hid, as an unclosed quote did
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    start: int
    end: int
    quoted: bool = False


def redact(text: str) -> str:
    """The text with a mark in the place of every secret; what was marked once stays as it is."""
    for _ in range(ROUNDS):
        before, text = text, cover_spans(text, sorted(spans(text)))
        if text == before:
            break
    return text


def cover_spans(text: str, found: list[Span]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in found:
        if start >= done:
            pieces += (text[done:start], MARK)
        done = max(done, end)
    return "".join((*pieces, text[done:]))


def spans(text: str) -> Iterator[Span]:
    """Every place of a secret. Each search is left out where a word it needs does not occur."""
    low = text.lower()
    if len(low) != len(text):  # a few letters grow when lowered, and places would shift
        low = "".join(c.lower() if c.isascii() else c for c in text)
    yield from shapes(text)
    if "private key" in low:
        yield from private_keys(text)
    if "@" in text:
        yield from addresses(text)
    if "authorization" in low or "bearer" in low or "Basic" in text or "cookie" in low:
        yield from headers(text, low)
    yield from assignments(text, low)
    yield from commands(text, low)
    if "base64" in low or "b64" in low or "decode64" in low or "atob(" in low:
        yield from scripts.find_encoded_secrets(text, low, says_secret, holds_secret)
    if "send" in text:
        yield from (
            span for span in scripts.find_typed_secrets(text, plain_span) if not is_placeholder(text[slice(*span)])
        )


def says_secret(name: str) -> bool:
    return secret_certainty(name) is not forms.SecretCertainty.NOTHING


def holds_secret(text: str) -> bool:
    return next(spans(text), None) is not None


def plain_span(text: str, at: int) -> Span:
    value = value_at(text, at)
    return value.start, value.end


def find_anchored(text: str, hint: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Finding a plain string first is many times as fast as letting the pattern search."""
    place = text.find(hint)
    while place >= 0:
        found = pattern.match(text, place)
        if found:
            yield found
        place = text.find(hint, max(place + 1, found.end() if found else 0))


def shapes(text: str) -> Iterator[Span]:
    for prefix, pattern in forms.SHAPE:
        if prefix in text:
            for found in find_anchored(text, prefix, pattern):
                yield found.span(found.lastindex or 0)
    for mark, pattern in forms.BOTS:
        for found in find_anchored(text, mark, pattern):
            yield name_start(text, found.start()), found.end()


def private_keys(text: str) -> Iterator[Span]:
    """The body of each key: to its end if that is there, else for as long as lines look like one."""
    done, last = 0, text.rfind("-----END")
    for begin in forms.KEY_BEGIN.finditer(text):
        if begin.start() < done:
            continue
        end = forms.KEY_END.search(text, begin.end(), begin.end() + forms.KEY_MAX) if begin.end() <= last else None
        done = end.start() if end else forms.KEY_LINES.match(text, begin.end()).end()  # pyright: ignore[reportOptionalMemberAccess]
        if text[begin.end() : done].strip(" \t\r\n\\\"'.n"):
            yield begin.end(), done
    done = 0
    for end in forms.KEY_END.finditer(text):
        start = end.start()
        while start > done and (text[start - 1] in forms.KEY_LETTERS):
            start -= 1
        if end.start() - start >= 16:  # its first lines were cut off
            yield start, end.start()
        done = end.end()


def addresses(text: str) -> Iterator[Span]:
    """Passwords between a user and a host."""
    for found in forms.ADDRESS.finditer(text):
        if found["mark"] == "@":
            if len(found["user"]) >= 16 and forms.MIXED.fullmatch(found["user"]) and not is_placeholder(found["user"]):
                yield found.span("user")
            continue
        rest = forms.ADDRESS_REST.match(text, found.end())
        if rest and not forms.PORT.match(rest[0]) and (length := password_length(rest[0])):
            value = rest[0][:length]
            if not is_placeholder(value) and not value.startswith(("${", "$(", "{{")):
                yield found.end(), found.end() + length
    for found in forms.BARE_ADDRESS.finditer(text):
        user = name_start(text, found.start())
        if user < found.start() and text[user - 1 : user] not in {"/", ":", "@"} and not is_placeholder(found["value"]):
            yield found.span("value")


def password_length(rest: str) -> int:
    """Up to the last @ that a host may follow; one in the path or in the query is no part of the login."""
    first, last = rest.find("@"), rest.split("/", 1)[0].rfind("@")
    if first < 0 or (last >= 0 and forms.FULL_HOST.match(rest, last + 1)):
        return max(last, 0)
    tail = forms.QUERY.split(rest[first + 1 :], maxsplit=1)[0]
    length = first
    for at in re.finditer("@", tail):
        if tail[at.start() - 1 : at.start()] != "/" and forms.HOST.match(tail, at.end()):
            length = first + 1 + at.start()
    return length


def headers(text: str, low: str) -> Iterator[Span]:
    done = 0
    for found in forms.HEADER.finditer(low):
        if found.start() < done or is_prose(text[found.end() : found.end() + 24]):
            continue
        value = forms.HEADER_VALUE.match(text, found.end())
        if value and not is_placeholder(value[0].rstrip(" )},;]")):
            end = value.end() if found["quote"] else found.end() + len(value[0].rstrip(" )},;]"))
            yield found.end(), end
            done = end
    for found in forms.BEARER.finditer(low):
        value = value_at(text, found.end())
        if forms.MIXED.fullmatch(text, value.start, value.end) and not is_placeholder(text[value.start : value.end]):
            yield value.start, value.end
    yield from (found.span("value") for found in forms.BASIC.finditer(text))
    done = 0
    for found in forms.COOKIES.finditer(low):
        if found.start() < done:
            continue
        end = forms.HEADER_VALUE.match(text, found.end())
        for cookie in forms.COOKIE.finditer(text, found.end(), end.end() if end else found.end()):
            name, value = cookie["name"].lower(), cookie["value"]
            telling = name not in forms.COOKIE_ATTRIBUTES and (
                forms.COOKIE_SECRET.search(name) or forms.MIXED.fullmatch(value)
            )
            if telling and not is_placeholder(value):
                yield cookie.span("value")
        done = end.end() if end else done


def assignments(text: str, low: str) -> Iterator[Span]:
    place = 0
    while found := forms.ASSIGNED.search(low, place):
        value = assigned_secret(text, found)
        place = found.end()
        if value:
            place = max(place, value.end)
            yield value.start, value.end
    for pattern, sure in ((forms.SPOKEN, forms.SecretCertainty.STRONG), (forms.TOLD, forms.SecretCertainty.WEAK)):
        for found in pattern.finditer(low):
            yield from span_worth_hiding(text, value_at(text, found.end()), sure)
    for found in forms.PARTED.finditer(low) if "value" in low else ():
        yield from span_worth_hiding(
            text, value_at(text, found.end()), secret_certainty(text[slice(*found.span("name"))])
        )
    for found in forms.ELEMENT.finditer(low) if "</" in low else ():
        value = Value(start=found.start("value"), end=found.end("value"), quoted=True)
        yield from span_worth_hiding(text, value, secret_certainty(text[slice(*found.span("name"))]))


def assigned_secret(text: str, found: re.Match[str]) -> Value | None:
    """The secret that a name is given here, by an equals sign, a colon, or as what follows a flag."""
    start = name_start(text, found.start())
    name = text[start : found.end("tail")]
    sure = secret_certainty(name)
    if sure is forms.SecretCertainty.NOTHING or name.lower().strip("-") in forms.HEADERS:
        return None
    if found["fallback"] is not None:
        close = text.find("}", found.end(), found.end() + forms.VALUE_MAX)
        return Value(start=found.end(), end=close) if text[start - 1 : start] == "{" and close > found.end() else None
    if found["equal"] is None and not follows_flag(text, found, start, name):
        return None
    return secret_value(text, found, start, name, sure)


def secret_value(text: str, found: re.Match[str], start: int, name: str, sure: forms.SecretCertainty) -> Value | None:
    sign = (found["equal"] or "").strip()
    before = text[max(0, start - 2) : start]
    if sign == ":" and (before[-1:] == ":" or re.fullmatch(r"[^\s\"'\\]/", before)):  # a path, or part of a longer name
        return None
    if sign == ":" and (
        forms.PARSER.search(text, max(0, start - 12), start) or (name.lower() == "pass" and not found["named"])
    ):
        return None  # as parsers complain and test runners count
    if sign == ":" and (block := forms.BLOCK.match(text, found.end())):
        return Value(start=block.start("value"), end=block.end("value"))
    if forms.CONTAINER.match(text, found.end()):
        items = forms.LISTED.match(text, found.end()) if sure is forms.SecretCertainty.STRONG else None
        return Value(start=items.start("value"), end=items.end("value")) if items else None
    if sign == ":" and not found["named"] and ends_prompt(text, start, found.end()):
        return None
    value = value_at(text, found.end())
    if sign in {"==", "===", "!=", "!=="} and not value.quoted:
        return None
    if sign == ":" and not value.quoted and found[0][-1:] in " \t":
        value = whole_line(text, start, value)
    if not value.quoted and same_word(name, text[value.start : value.end]):
        return None
    doubtful = found["listed"] is not None and name[0] != "-"
    return value if worth_hiding(text, value, sure, doubtful=doubtful) else None


def ends_prompt(text: str, start: int, at: int) -> bool:
    """Does the quote here close what was opened before the name, as in expect "Password: "?"""
    opening = forms.OPENING.match(text, at)
    if opening is None:
        return False
    if text[max(0, start - 42) : start].endswith(opening[0]):
        return True
    line = text[max(0, start - 200) : start].rpartition("\n")[2]
    return opening[0] == '"' and line.count('"') % 2 == 1 and '\\"' not in line


def name_start(text: str, at: int) -> int:
    floor = max(0, at - forms.NAME_MAX)
    while at > floor and (text[at - 1].isalnum() or text[at - 1] in "_.-"):
        at -= 1
    return at


def follows_flag(text: str, found: re.Match[str], start: int, name: str) -> bool:
    """Does a flag end here whose value is the next word, or a call whose next argument is the value?"""
    if found["listed"] is not None and not name.startswith("-"):
        return bool(found["named"]) and forms.CALLED.search(text, max(0, start - 42), start) is not None
    if name.lower() == "password" and forms.SQL_LEAD.search(text, max(0, start - 100), start):
        return forms.OPENING.match(text, found.end()) is not None
    if not name.startswith("-") or text[start - 1 : start].isalnum() or text[found.end() : found.end() + 1] in "-|<>&":
        return False
    return forms.WORD.findall(name)[0].lower() not in forms.ASKING


@lru_cache(maxsize=512)
def secret_certainty(name: str) -> forms.SecretCertainty:
    words = [word.lower() for word in forms.WORD.findall(name)]
    if not words or words[-1] in forms.DESCRIBING:
        return forms.SecretCertainty.NOTHING
    if forms.STRONG_NAME.search("_".join(words)):
        return forms.SecretCertainty.STRONG
    if words[-1] not in forms.WEAK_LAST or (len(words) > 1 and words[-2] in forms.NEUTRAL_KEYS):
        return forms.SecretCertainty.NOTHING
    return forms.SecretCertainty.WEAK


def value_at(text: str, at: int) -> Value:
    """The value that begins here: up to its closing quote, or for as long as it may go on without one."""
    opening = forms.OPENING.match(text, at)
    if opening is None:
        plain = forms.PLAIN.match(text, at)
        return Value(start=at, end=plain.end() if plain else at)
    slashes, quote = opening.groups()
    if slashes:
        limit = min(len(text), opening.end() + forms.VALUE_MAX)
        close = re.compile(rf"(?<!\\){re.escape(slashes + quote)}|\n").search(text, opening.end(), limit)
        end = close.start() if close else limit
    else:
        inside = forms.INSIDE[quote].match(text, opening.end())
        end = inside.end() if inside else opening.end()
    return Value(start=opening.end(), end=end, quoted=True)


def whole_line(text: str, start: int, value: Value) -> Value:
    """In YAML a value may hold spaces without quotes; in a log line other words follow."""
    line_start = text.rfind("\n", max(0, start - 200), start) + 1 or max(0, start - 200)
    if text[line_start:start].strip(" \t-+>#") or (rest := forms.LINE_REST.match(text, value.start)) is None:
        return value
    line = rest[0].split(" #")[0].rstrip()
    if len(line.split()) > 8 or forms.ANOTHER.search(line):
        return value
    return Value(start=value.start, end=max(value.end, value.start + len(line)))


def same_word(name: str, value: str) -> bool:
    """Code that hands a variable on, as in password=password or token=auth_token."""
    letters = value.replace("_", "")
    handed_on = name.islower() and letters != value and letters.islower() and letters.isalpha()
    return value == name.lstrip("-") or (handed_on and secret_certainty(value) is forms.SecretCertainty.STRONG)


def worth_hiding(text: str, value: Value, sure: forms.SecretCertainty, *, doubtful: bool = False) -> bool:
    if sure is forms.SecretCertainty.NOTHING or value.start >= value.end:
        return False
    content = text[value.start : value.end]
    if (
        is_placeholder(content)
        or (not value.quoted and (forms.CODE.fullmatch(content) or is_prose(content)))
        or content.lower() in forms.PROSE
    ):
        return False
    if sure is forms.SecretCertainty.STRONG and not doubtful:
        return not re.fullmatch(r"[0-9]{1,3}", content)
    return forms.MIXED.fullmatch(content) is not None


def is_prose(content: str) -> bool:
    words = content.split(maxsplit=1)
    return bool(words) and words[0].strip(".,;:!?()'\"").lower() in forms.PROSE


def is_placeholder(content: str) -> bool:
    """Is this the name of a variable, a placeholder or a path, and no secret by itself?"""
    return forms.SPARED.fullmatch(content) is not None


def commands(text: str, low: str) -> Iterator[Span]:
    """Secrets that only the command they are given to tells."""
    for word, pattern, flag, divider in forms.COMMAND:
        if word not in text:
            continue
        done = 0
        for found in find_anchored(text, word, pattern):
            if found.start() < done:
                continue
            segment = forms.SEGMENT.match(text, found.end())
            done = segment.end() if segment else found.end()
            for place in flag.finditer(text, found.end(), done):
                yield from span_after_divider(text, value_at(text, place.end()), divider)
    for hint, pattern in forms.POSITION:
        for found in find_anchored(low, hint, pattern):
            yield from span_after_divider(text, value_at(text, found.end()), "")
    for found in find_anchored(low, "config", forms.CONFIGURED):
        yield from span_worth_hiding(
            text, value_at(text, found.end()), secret_certainty(text[slice(*found.span("name"))])
        )
    for pattern in forms.HTPASSWD_AFTER:
        for found in find_anchored(text, "htpasswd", pattern):
            yield from span_after_divider(text, value_at(text, found.end()), "")
    piped = ((hint, forms.PIPED) for hint in ("echo", "printf", "yes"))
    for hint, pattern in (("htpasswd", forms.HTPASSWD), *piped):
        for found in find_anchored(text, hint, pattern):
            yield from span_without_quotes(text, *found.span("value"))


def span_worth_hiding(text: str, value: Value, sure: forms.SecretCertainty) -> Iterator[Span]:
    if worth_hiding(text, value, sure):
        yield value.start, value.end


def span_after_divider(text: str, value: Value, divider: str) -> Iterator[Span]:
    """What comes after the divider, as the password after the user; all of it, if there is none to look for."""
    start = text.find(divider, value.start, value.end) + 1 if divider else value.start
    if (start or not divider) and start < value.end and not is_placeholder(text[start : value.end]):
        yield start, value.end


def span_without_quotes(text: str, start: int, end: int) -> Iterator[Span]:
    """Without the blanks and quotes around it."""
    start += len(text[start:end]) - len(text[start:end].lstrip(" \t\"'\\"))
    end = start + len(text[start:end].rstrip(" \t\"'\\"))
    if start < end and not is_placeholder(text[start:end]):
        yield start, end
