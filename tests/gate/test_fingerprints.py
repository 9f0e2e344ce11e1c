"""DIA-5: one error has one fingerprint, whatever paths, numbers and names it carries; two errors have two."""

import re
import string
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.gate.fingerprints import MESSAGE_CHARS_MAX, fingerprint
from tests import pace
from tests.gate.error_families import FAMILIES, Errors

# ---- the seed's four examples


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("ENOENT: no such file or directory, open '/path/to/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: no such file or directory, open '/other/path/file.txt'", "enoent no such file or directory open"),
        ("ENOENT: file not found", "enoent file not found"),
        ("EACCES: permission denied", "eacces permission denied"),
    ],
)
def test_the_examples_hold_to_the_letter(message: str, expected: str) -> None:
    assert fingerprint(message) == expected


# ---- one block, one error; a family's errors all differ

BY_FAMILY = pytest.mark.parametrize("errors", FAMILIES.values(), ids=FAMILIES.keys())


@pytest.mark.rule("DIA-5")
@BY_FAMILY
def test_one_error_has_one_fingerprint(errors: Errors) -> None:
    prints = {messages[0]: {fingerprint(message) for message in messages} for messages in errors}
    assert {error: found for error, found in prints.items() if len(found) > 1} == {}


@pytest.mark.rule("DIA-5")
@BY_FAMILY
def test_different_errors_have_different_fingerprints(errors: Errors) -> None:
    prints = [(fingerprint(messages[0]), messages[0]) for messages in errors]
    assert [(a[1], b[1]) for a, b in combinations(prints, 2) if a[0] == b[0]] == []
    assert all(found for found, _ in prints)


# ---- what varies, in any message


def numbers() -> st.SearchStrategy[str]:
    whole = st.integers(-(10**12), 10**12).map(str)
    return whole | st.decimals(0, 1000, places=3).map(str) | st.integers(0, 2**64).map(hex)


def paths() -> st.SearchStrategy[str]:
    piece = st.text(string.ascii_letters + string.digits + "_-.", min_size=1, max_size=12)
    pieces = st.lists(piece, min_size=2, max_size=6)
    return pieces.map("/".join).map("/{}".format) | pieces.map("\\".join).map("C:\\{}".format)


def quoted() -> st.SearchStrategy[str]:
    name = st.text(string.ascii_letters + string.digits + "_-./ ", min_size=1, max_size=30).filter(
        lambda text: text.count(" ") < 2
    )
    return st.builds("{0}{1}{0}".format, st.sampled_from("\"'`"), name)


VARYING = {
    "a number": numbers(),
    "a path": paths(),
    "a quoted name": quoted(),
    "an address": st.ip_addresses().map(str),
    "an address and port": st.builds("{}:{}".format, st.ip_addresses(v=4), st.integers(1, 65535)),
    "a uuid": st.uuids().map(str),
    "a time": st.datetimes().map(str),
    "a date in words": st.datetimes().map(lambda moment: moment.strftime("%a %b %d %H:%M:%S %Y")),
    "a url": st.builds("https://{}.example.org/{}?q={}".format, *[st.text(string.ascii_lowercase, min_size=1)] * 3),
    "a size": st.builds("{} {}".format, st.integers(0, 10**9), st.sampled_from(["bytes", "KB", "MiB", "GB"])),
    "a duration": st.builds("{} {}".format, st.integers(0, 10**9), st.sampled_from(["ms", "s", "seconds", "minutes"])),
}


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("values", VARYING.values(), ids=VARYING.keys())
@given(data=st.data())
def test_what_varies_leaves_nothing_behind(values: st.SearchStrategy[str], data: st.DataObject) -> None:
    value = data.draw(values)
    assert fingerprint(f"Upload failed {value} while writing the archive") == "upload failed while writing the archive"
    assert fingerprint(f"E4711: disk quota exceeded, gave up at {value}") == "e4711 disk quota exceeded gave up at"


@pytest.mark.rule("DIA-5")
@given(st.from_regex(r"[a-z]{5,9}[0-9]?", fullmatch=True), st.from_regex(r"[a-z]{5,9}[0-9]?", fullmatch=True))
def test_who_it_happened_to_does_not_matter(one: str, other: str) -> None:
    for text in (
        "session closed for user {}",
        "login failed: user={} reason=expired",
        "Denied password for {} from host",
    ):
        assert fingerprint(text.format(one)) == fingerprint(text.format(other))


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("GET /api/items?id=5&sort=asc failed", "GET /api/items?q=shoes failed", "get failed"),
        ("GET /api/items?tags=a,b: timed out", "GET /api/items: timed out", "get timed out"),
        ("cannot load items.php?cat=books&lang=en.", "cannot load index.php?q=maps.", "cannot load"),
        ('"POST /pay?card=visa HTTP/1.1" refused', '"POST /pay?card=amex HTTP/1.1" refused', "post http refused"),
        ("url=/a/b?sort=asc,error=timeout", "url=/a/b?q=w&x[]=y,error=timeout", "url error timeout"),
    ],
)
def test_what_is_asked_of_an_address_does_not_count(one: str, other: str, expected: str) -> None:
    assert fingerprint(one) == fingerprint(other) == expected


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("did you mean?yes", "did you mean yes"),
        ("is it in /a/b? then open it", "is it in then open it"),
        ("expected x?y:z near the end", "expected x y z near the end"),
        ("cannot bind WHERE name=? in the statement", "cannot bind where name in the statement"),
    ],
)
def test_a_question_asked_of_a_reader_stays(message: str, expected: str) -> None:
    assert fingerprint(message) == expected


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "text",
    ["{} error : Could not connect", "connect ECONNREFUSED {}", "dial tcp {}: i/o timeout", "could not connect to {}."],
)
def test_a_host_without_a_domain_does_not_split_a_group(text: str) -> None:
    names = ("shop.example.org:443", "cache:443", "wpad:80", "db-primary:5432", "10.0.0.7:80")
    assert len({fingerprint(text.format(name)) for name in names}) == 1


@pytest.mark.rule("DIA-5")
def test_a_label_and_its_number_are_no_host() -> None:
    assert fingerprint("retries:30 exhausted") == "retries exhausted"
    assert fingerprint("jump to line:42 failed") == "jump to line failed"
    assert fingerprint("line:80 failed") != fingerprint("column:80 failed")


# ---- what does not vary


CODED = (
    "error[{}]: rejected",
    "compile error {}: rejected",
    "{}: table or view does not exist",
)


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("text", CODED)
@given(
    prefix=st.sampled_from(["E", "TS", "CS", "ORA-", "LNK", "MSB"]),
    one=st.integers(1000, 9999),
    other=st.integers(1000, 9999),
)
def test_codes_tell_errors_apart(text: str, prefix: str, one: int, other: int) -> None:
    prints = {fingerprint(text.format(f"{prefix}{number}")) for number in (one, other)}
    assert len(prints) == len({one, other})


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "text",
    [
        "HTTP {}",
        "HTTP/1.1 {}",
        "Request failed with status code {}",
        "status: {}",
        "status={}",
        "HTTP Error {}: refused",
    ],
)
@given(one=st.integers(400, 599), other=st.integers(400, 599))
def test_failures_of_http_are_told_apart(text: str, one: int, other: int) -> None:
    assert (fingerprint(text.format(one)) == fingerprint(text.format(other))) == (one == other)


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "text",
    [
        "[Errno {}] refused",
        "[WinError {}] refused",
        "exit status {}",
        "exit code: {}",
        "killed by signal {}",
        "errno={}",
    ],
)
@given(one=st.integers(1, 255), other=st.integers(1, 255))
def test_numbers_of_errors_are_codes(text: str, one: int, other: int) -> None:
    assert (fingerprint(text.format(one)) == fingerprint(text.format(other))) == (one == other)


@pytest.mark.rule("DIA-5")
def test_a_successful_status_is_no_code() -> None:
    assert fingerprint("sync done, status: 200") == fingerprint("sync done, status: 204")


@pytest.mark.rule("DIA-5")
def test_it_is_not_cut_at_fifty_characters() -> None:
    shared = "the nightly import could not be completed because one of the many steps of it failed, namely the "
    assert len(shared) > 50
    assert fingerprint(shared + "download") != fingerprint(shared + "upload")


# ---- any message at all


@pytest.mark.rule("DIA-5")
@given(st.text(max_size=300) | st.text("aA0./\\:'\"`^~|=<>()[]{} \n\tE", max_size=300))
def test_any_text_has_a_tidy_fingerprint(message: str) -> None:
    found = fingerprint(message)
    assert found == fingerprint(message)
    assert found == " ".join(found.split())
    assert re.fullmatch(r"[\w -]*", found)


@pytest.mark.rule("DIA-5")
@given(st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=10), max_size=12))
def test_case_does_not_matter_in_plain_words(words: list[str]) -> None:
    text = " ".join(words)
    assert fingerprint(text) == fingerprint(text.upper()) == fingerprint(text).lower()


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("message", ["", " ", "\n\n", "12 34 /a/b", "'x'", "  at a.b(c.js:1)", "^^^^", "....", "0x1f"])
def test_a_message_that_says_nothing_has_a_fingerprint_too(message: str) -> None:
    assert fingerprint(message) == fingerprint(f" {message} ")


@pytest.mark.rule("DIA-5")
def test_what_was_seen_before_does_not_matter() -> None:
    message = "Lease of worker-7 on shard12 lost after 30 s: ECONNRESET"
    first = fingerprint(message)
    for number in range(10_000):
        fingerprint(f"token{number}x worker-{number} shard{number} lost")
    assert fingerprint(message) == first == "lease of on shard lost after econnreset"


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("frames", [1, 30, 3_000])
def test_the_error_is_found_at_the_end_of_any_trace(frames: int) -> None:
    frame = '  File "/srv/app/deep.py", line 7, in descend\n    return descend(depth - 1)\n'
    message = f"Traceback (most recent call last):\n{frame * frames}RecursionError: maximum recursion depth exceeded"
    assert fingerprint(message) == "recursionerror maximum recursion depth exceeded"


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize("frames", [1, 30, 300])
def test_a_cause_is_found_in_the_middle_of_a_trace(frames: int) -> None:
    frame = "\n\tat org.acme.shop.Basket.add(Basket.java:42)"
    message = f"java.lang.IllegalStateException: closed{frame * frames}\nCaused by: java.io.IOException: reset"
    message += frame * frames
    assert fingerprint(message) == "illegalstateexception closed caused by ioexception reset"


@pytest.mark.rule("DIA-5")
def test_work_on_a_long_message_is_bounded() -> None:
    assert fingerprint("write failed: " + "no " * MESSAGE_CHARS_MAX + "end") == "write failed no"
    many = "".join(f"step {word} failed\n" for word in ("one", *["two"] * MESSAGE_CHARS_MAX, "three"))
    assert fingerprint(many).startswith("step one failed step two failed")
    assert fingerprint(many).endswith("step two failed step three failed")
    assert len(fingerprint(many)) <= MESSAGE_CHARS_MAX


@pytest.mark.rule("DIA-5")
@pytest.mark.parametrize(
    "piece",
    [
        "'",
        '"a',
        "`'",
        " ",
        "^",
        "|",
        "1",
        "a_",
        "a.",
        "A_",
        ":",
        "f:",
        "/",
        "\\",
        "(",
        "1 ",
        "a1",
        "x@",
        "\n",
        "\n^",
        "E   \n",
        "=",
        "aB",
    ],
)
@pytest.mark.parametrize("end", ["", "!", "x\n"])
def test_nasty_messages_take_little_longer_than_prose(piece: str, end: str) -> None:
    assert pace.times_prose(fingerprint, (piece * 300_000)[:300_000] + end, enough=100) < 100
