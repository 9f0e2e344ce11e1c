"""Which error messages are one and the same error. DIA-5: code and message, lower case, without what varies."""

import re
from functools import lru_cache
from typing import Final

MESSAGE_CHARS_MAX: Final = 4_000
TRACE_CHARS_MAX: Final = 40_000
TOKENS_REMEMBERED: Final = 4_096
COUNTED_WORDS: Final = 2


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# ---- the words this rule knows

EXTENSIONS: Final = word_set(
    "bin bmp c cc cfg class cmd conf cpp cs css csv cxx dat db dll doc docx dylib env exe gif go gz h hpp html htm "
    "ini ipynb jar java jpeg jpg js json jsx kt lock log lua md mjs mm o pdf php pl plist png properties ps1 py pyc "
    "rb rs scala sh so sql sqlite svg swift tar tgz tmp toml ts tsx txt vue war whl xml yaml yml zip"
)
DOMAINS: Final = word_set("ai biz cn com de dev edu eu fr gov hk info internal io jp local net org ru tv uk")
UNITS: Final = word_set(
    "ns us µs ms msec msecs millis millisecond milliseconds s sec secs second seconds m min mins minute minutes h hr "
    "hrs hour hours d day days b byte bytes k kb kib mb mib gb gib tb tib percent hz khz mhz ghz am pm microseconds"
)
CALENDAR: Final = word_set(
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday jan feb mar apr may jun jul "
    "aug sep sept oct nov dec january february march april june july august september october november december "
    "utc gmt est edt cst cdt mst mdt pst pdt cet cest bst jst ist"
)
BOOLEANS: Final = word_set("true false")
WITH_DIGITS: Final = word_set("ipv4 ipv6 md5 sha1 sha256 sha512 utf8 http2 oauth2 base64 x509 s3 ec2 k8s log4j")
# Numbers after these are codes; after the second kind only those of HTTP failures are.
NUMBERED: Final = word_set("errno sqlstate winerror hresult signal exitcode exit_code errorcode error_code err_code")
HTTP_KEYS: Final = word_set("http httperror status statuscode status_code returned response")
CODE_NOUNS: Final = word_set("error exit status response http result return exception exited with zero")
# A quoted value after one of these tells what happened, not to whom.
CATEGORIES: Final = word_set("state status mode tag level reason action phase severity")
IDENTITIES: Final = word_set("user username login owner host hostname node")
# Which of these accounts failed is part of the message: it is nobody's name.
ACCOUNTS: Final = word_set("root guest test admin anonymous nobody")
NOT_NAMES: Final = word_set(
    "unknown request requested authentication not is was has does did can cannot with and or from by to on in at for "
    "of the input id name names agent error interface space mode data session account defined level permissions"
)
OBJECTS: Final = word_set(
    "class column container database domain field file function image index job key method module package pod relation "
    "role schema script service symbol table task variable volume"
)
# "db:5432" is an address where something is sent or asked, and first in a message with a port that services have.
TOWARDS: Final = word_set(
    "to from at via tcp udp dial host server proxy upstream peer broker endpoint connect connecting address listen "
    "econnrefused econnreset etimedout ehostunreach enetunreach enotfound"
)
PORTS: Final = word_set(
    "21 22 23 25 53 80 110 143 389 443 465 587 636 993 995 1433 1521 3000 3306 3389 5000 5432 5672 6379 8000 8080 "
    "8443 8888 9000 9092 9200 11211 27017"
)
LABELS: Final = word_set(
    "line column col row port status code error errno exit pid tid uid gid id offset position pos index count total "
    "size length bytes version attempt attempts retry retries try step timeout after level priority signal warning"
)
ANNOUNCED: Final = frozenset(f"{noun}:" for noun in OBJECTS | IDENTITIES) | {"named", "undefined:", "found:"}

# ---- one token

SIMPLE: Final = re.compile(r"[(\[]?([A-Za-z]+)[).,:;\]]*\Z")
DELIMITERS: Final = re.compile(r"([=:,;()\[\]{}<>|\"'`!?\\]+|\.\.+(?=\d|\Z))")
LETTERED: Final = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*")
CODE: Final = re.compile(r"(?:[EWCF]\d{3,4}|[A-Z]{2,8}-?\d{3,5}[A-Z]?|0x800[47fF][0-9a-fA-F]{4})\Z")
CONSTANT: Final = re.compile(r"(?:Error|Exception|Fault|Failure|Warning)\Z|\A[A-Z]+_[A-Z_]+\Z")
HEX: Final = re.compile(r"[0-9a-fA-F]{8,}\Z")
COLON_HEX: Final = re.compile(r"(?<!\w)(?:[0-9a-fA-F]{0,4}:){2,}[0-9a-fA-F]{0,4}(?!\w)")
STEM: Final = re.compile(r"([A-Za-z]{2,})\d+\Z")
WINDOWS_PATH: Final = re.compile(r"[A-Za-z]:[\\/]|\w\\\w|\\\\\w")
IDENTIFIER: Final = re.compile(r"\w[_.]\w|[a-z][A-Z]|\d")
FIELD: Final = re.compile(r"[a-z_]{2,}\.[a-z_]{2,}\.?\Z")
HTTP_FAILURE: Final = re.compile(r"[45]\d\d\Z")
DIGIT: Final = re.compile(r"\d")
ASKED: Final = re.compile(r"\?(?=[\w%\[])")
BEFORE_ADDRESS: Final = "\"'`(<=|,;"
# What is asked of an address ends with it: at a quote or bracket, before the next key of a list, at closing marks.
QUERY: Final = re.compile(r"\?(?:(?!,\w+=|[:.,;)\]]+\Z)[^\"'`<>|{}])+")
HOST_AND_PORT: Final = re.compile(r"[(\[]?([A-Za-z][\w-]*):(\d{2,5})[)\],.;:]*\Z")


@lru_cache(maxsize=TOKENS_REMEMBERED)
def message_words(token: str) -> tuple[str, ...]:
    """What of one token belongs to the message; nothing, if all of it varies."""
    if simple := SIMPLE.match(token):
        return () if HEX.match(simple[1]) else (simple[1].lower(),)
    if token[:5] in ("HTTP/", "http/"):
        return ("http",)
    if "://" in token or WINDOWS_PATH.search(token):
        return ()
    if "?" in token:
        token = without_query(token)
    found: list[str] = []
    key = ""
    pieces = DELIMITERS.split(COLON_HEX.sub("0", token) if ":" in token else token)
    for part, delimiter in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        found += part_words(part, key, names_value=delimiter[:1] == "=")
        key = part.lower()
    return tuple(found)


def without_query(token: str) -> str:
    """The token without what is asked of an address in it; a question asked of a reader stays."""
    asked = ASKED.search(token)
    query = None if asked is None else QUERY.match(token, asked.start())
    if asked is None or query is None:
        return token
    start = max(token.rfind(mark, 0, asked.start()) for mark in BEFORE_ADDRESS) + 1
    address = token[start : asked.start()]
    if "/" in address or "." in address.strip(".") or (address and "=" in query[0]):
        return token[:start] + ("/" if "/" not in address else "") + address + "/" + token[query.end() :]
    return token


def part_words(part: str, key: str, *, names_value: bool) -> list[str]:
    """The same for what stands between two delimiters; the key is what stood before."""
    lower = part.lower()
    if DIGIT.search(part):
        if CODE.match(part) or lower in WITH_DIGITS or is_code_number(lower, key):
            return [lower]
        stem = None if HEX.match(part) or key in IDENTITIES else STEM.match(part)
        return [stem[1].lower()] if stem else []
    if not part or HEX.match(part) or is_path(part) or "@" in part[1:-1] or (len(part) == 2 and part[1] in "+-"):
        return []
    if key and (lower in BOOLEANS or (key in IDENTITIES and lower not in ACCOUNTS)):
        return []
    if "." in part and not names_value and is_dotted_name(part):
        last = part.strip(".").rpartition(".")[2]
        return [last.lower()] if CONSTANT.search(last) else []
    return LETTERED.findall(lower)


def is_code_number(number: str, key: str) -> bool:
    return key in NUMBERED or (key in HTTP_KEYS and HTTP_FAILURE.match(number) is not None)


def is_path(part: str) -> bool:
    slashes = part.count("/")
    return slashes > 1 or (slashes == 1 and (part[0] in "/~." or "." in part))


def is_dotted_name(part: str) -> bool:
    """A package, a host, a file or a field; with capitals, two words around a dot may be a step of the program."""
    pieces = [piece for piece in part.lower().split(".") if piece]
    if len(pieces) != 2:
        return len(pieces) > 2
    return pieces[1] in EXTENSIONS or pieces[1] in DOMAINS or FIELD.match(part) is not None


# ---- of several lines, those that say what went wrong

PYTHON_TRACE: Final = "Traceback (most recent call last)"
DUMPS: Final = re.compile(r"^(?:goroutine \d+ \[|stack backtrace:)", re.MULTILINE)
# Frames, quoted source and hints: they say where it happened and what to try.
ASIDE: Final = re.compile(
    r"(?:at \S|\.\.\. \d+ \w+|File \"|-->|\d*[ \t]*\||(?:= |\S+: )?(?:note|help|hint): )", re.IGNORECASE
)
UNDERLINE: Final = re.compile(r"[\s|]*[\^~][\s^~-]*\Z")
PYTEST: Final = re.compile(r"^E   +", re.MULTILINE)


def without_traces(message: str) -> str:
    """The message without traces; of what is still very long, its beginning and its end."""
    if "\n" not in message:
        return message[:MESSAGE_CHARS_MAX]
    text = both_ends(message, TRACE_CHARS_MAX)
    if dump := DUMPS.search(text, 1):
        text = text[: dump.start()]
    lines = text.splitlines()
    if PYTEST.search(text):
        kept = [line[1:] for line in lines if PYTEST.match(line)]
    else:
        trace = PYTHON_TRACE in text
        kept = [line for n, line in enumerate(lines) if not is_aside(line, lines[n + 1 : n + 2], trace=trace)]
    return both_ends("\n".join(kept).strip() or text, MESSAGE_CHARS_MAX)


def both_ends(text: str, chars_max: int) -> str:
    """Whole lines from both ends, as the first or the last of them names the error."""
    if len(text) <= chars_max:
        return text
    head, tail = text[: chars_max // 2], text[-chars_max // 2 :]
    return (head.rpartition("\n")[0] or head) + "\n" + (tail.partition("\n")[2] or tail)


def is_aside(line: str, following: list[str], *, trace: bool) -> bool:
    if trace and (line[:1].isspace() or PYTHON_TRACE in line):
        return True
    underlined = bool(following) and UNDERLINE.match(following[0]) is not None
    return underlined or ASIDE.match(line.lstrip()) is not None or UNDERLINE.match(line) is not None


# ---- the whole message

NUMBER: Final = re.compile(r"[-+~<>=#@(\[]*\d")
BARE_NUMBER: Final = re.compile(r"[\[(]*(-?\w+)[\])}.,:;]*\Z")
PLURAL: Final = re.compile(r"[a-z]{3}[^\Wsui]s\Z")
ACCESS_RECORD: Final = re.compile(r'HTTP/\d(?:\.\d)?"')
QUOTE: Final = re.compile("[\"'`‘“]")
QUOTED: Final = re.compile(
    r"""(?<!\w)(?:"[^"\n]{0,400}"|'[^'\n]{0,400}'|`[^`'\n]{0,400}[`']|‘[^’\n]{0,400}’|“[^”\n]{0,400}”)(?!\w)"""
)


def replace_quotation(match: re.Match[str]) -> str:
    """A quoted sentence is message, and so is a quoted category; a quoted name is not."""
    inner = match[0][1:-1]
    if inner.count(" ") > 1:
        return f" {inner} "
    before = LETTERED.findall(match.string[max(0, match.start() - 12) : match.start()].lower())
    return f" {inner} " if before and before[-1] in CATEGORIES else " "


def fingerprint(message: str) -> str:
    """The message without what varies: equal for two occurrences of one error."""
    text = without_traces(message)
    if QUOTE.search(text):
        text = QUOTED.sub(replace_quotation, text)
    found: list[str] = []
    previous = ""
    since_number = COUNTED_WORDS
    for token in text.split():
        kept = () if token.isdecimal() or is_host_and_port(token, previous) else message_words(token)
        if NUMBER.match(token):
            while found and found[-1] in CALENDAR:
                found.pop()
            kept = spoken_code(token, previous, found, message) or kept
            since_number = COUNTED_WORDS if kept else 0
        elif kept:
            if is_announced_name(token, kept[0], previous):
                kept = ()
            elif since_number < COUNTED_WORDS:
                kept = strip_unit_and_plural(kept, since_number)
            elif kept[0] == "from" and len(found) > 1 and found[-2] == "for":
                found.pop()
            since_number += 1
        # A list of any length repeats its words.
        found += kept[1:] if kept and found and kept[0] == found[-1] else kept
        previous = token.lower()
    if found[-3:] == ["command", "not", "found"] and len(found) > 3:
        del found[-4]
    return " ".join(found)


def is_host_and_port(token: str, previous: str) -> bool:
    """Whether the token is a host without a domain and its port; which one it was varies."""
    if ":" not in token or not (address := HOST_AND_PORT.match(token)):
        return False
    host, port = address[1].lower(), address[2]
    if host in LABELS or host in NUMBERED or host in HTTP_KEYS:
        return False
    return previous.strip("([:") in TOWARDS or (port in PORTS and not previous)


def is_announced_name(token: str, word: str, previous: str) -> bool:
    """Whether the token is the name of what the word before it announces."""
    if previous in ANNOUNCED:
        return token[-1] != ":" and word not in NOT_NAMES
    if previous == "user":
        return token[0] not in "([{<" and word not in NOT_NAMES
    if token.endswith("()"):
        return previous.endswith(("error:", "exception:")) or previous == "for"
    if previous in OBJECTS:
        return IDENTIFIER.search(token) is not None
    return word in BOOLEANS and previous[-1:] in ("=", ":")


def strip_unit_and_plural(kept: tuple[str, ...], since_number: int) -> tuple[str, ...]:
    """Words after a number: neither its unit nor the plural belongs to the message."""
    if since_number == 0 and (kept[0] in UNITS or kept[0] in CALENDAR):
        return kept[1:]
    return (kept[0][:-1], *kept[1:]) if PLURAL.search(kept[0]) else kept


def spoken_code(token: str, previous: str, found: list[str], message: str) -> tuple[str, ...]:
    """The number as a code, if the words before it say that it is one."""
    bare = BARE_NUMBER.match(token)
    if not (bare and found):
        return ()
    number, last, before = bare[1].lower(), found[-1], found[-2] if len(found) > 1 else ""
    if last in NUMBERED or previous in ("error", "err!") or (last == "status" and before == "exit"):
        return (number,)
    if last == "code" and before in CODE_NOUNS:
        return (number,)
    http = last in HTTP_KEYS or (last in ("with", "of") and before in ("responded", "failed", "status"))
    if not (http and HTTP_FAILURE.match(number)):
        return ()
    # In the record of a request the status is one field of many, as often a success.
    return () if ACCESS_RECORD.search(message, 0, MESSAGE_CHARS_MAX) else (number,)
