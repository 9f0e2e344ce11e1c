"""Passages from a folder of texts: word for word, with file and line, and what a folder must not be."""

import errno
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.adapters.packs.anchors import FILES_MAX, PASSAGE_MAX, PASSAGE_MIN, PASSAGES_MAX, load, passages
from cruxfinder.errors import BadInput

FABLE = "A ferryman who counted his coins at every crossing forgot to count his passengers."
TIDE = "Whoever waits for the tide to turn has already agreed to go where it is going."
SHORT = "Too short."


def folder(tmp_path: Path, **texts: str) -> str:
    for name, text in texts.items():
        path = tmp_path / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return str(tmp_path)


def told(text: str) -> list[tuple[str, str]]:
    return [(a.text, a.source) for a in passages(text, "t.txt")]


# ---- passages


def test_a_paragraph_is_a_passage_with_its_line() -> None:
    assert told(f"{FABLE}\n\n{TIDE}\n") == [(FABLE, "t.txt, line 1"), (TIDE, "t.txt, line 3")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(f"\n\n\n{FABLE}", 4, id="empty lines before it"),
        pytest.param(f"{SHORT}\n\n \t \n\n  {FABLE}", 5, id="blanks in the empty lines and before it"),
        pytest.param(f"# Title\n\n{FABLE}", 3, id="a heading before it"),
        pytest.param(f"- {FABLE}\n\n{FABLE}", 3, id="the same words in a list before it"),
    ],
)
def test_the_line_is_where_the_passage_stands(text: str, line: int) -> None:
    assert told(text) == [(FABLE, f"t.txt, line {line}")]
    assert text.split("\n")[line - 1].strip() == FABLE


def test_a_line_of_blanks_parts_paragraphs() -> None:
    assert told(f"{TIDE}\n \t\n{FABLE}") == [(TIDE, "t.txt, line 1"), (FABLE, "t.txt, line 3")]


def test_only_line_breaks_and_blanks_are_changed() -> None:
    broken = FABLE.replace(" who", "\n  who").replace(" at", "\t at")
    assert told(broken) == [(FABLE, "t.txt, line 1")]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    sentences = [f"Sentence number {n} is about ferries and goes on for a while, as they do." for n in range(20)]
    found = told(" ".join(sentences))
    assert len(found) > 1
    assert all(PASSAGE_MIN <= len(text) <= PASSAGE_MAX for text, _ in found)
    assert " ".join(text for text, _ in found) == " ".join(sentences)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("x" * (PASSAGE_MIN - 1), 0, id="a character too short"),
        pytest.param("x" * PASSAGE_MIN, 1, id="just long enough"),
        pytest.param("x" * PASSAGE_MAX, 1, id="just not too long"),
        pytest.param("x" * (PASSAGE_MAX + 1), 0, id="one sentence that is too long is left out whole"),
        pytest.param(f"{FABLE}\n\n{FABLE}", 1, id="the same twice"),
        pytest.param(f"# {FABLE}", 0, id="a heading"),
        pytest.param(f"- {FABLE}\n- {TIDE}", 0, id="a list"),
        pytest.param(f"> {FABLE}", 0, id="a quotation of somebody else"),
        pytest.param(f"| {FABLE} |", 0, id="a table"),
        pytest.param(f"```\n{FABLE}\n```", 0, id="code"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_what_is_a_passage(text: str, count: int) -> None:
    assert len(told(text)) == count


def test_a_sentence_ends_behind_its_closing_quote() -> None:
    first = f"He said: “{'Wait for the ferry ' * 15}now.”"
    second = "Then he left, and nobody on the quay ever saw him again." * 5
    assert [text for text, _ in told(f"{first} {second}")] == [first, second]


PIECES = (f"{FABLE} ", f"“{TIDE}” ", "Is it so? ", "word ", "\n", "\n\n", " \t\n", "# ", "- ", "…", "x" * 300)


@given(text=st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=20)), max_size=30).map("".join))
def test_every_passage_is_quoted_word_for_word(text: str) -> None:
    """Its words occur in the text one after the other, from the line it names on."""
    for anchor in passages(text, "t.txt"):
        line = int(anchor.source.removeprefix("t.txt, line "))
        rest = "\n".join(text.split("\n")[line - 1 :])
        assert re.search(r"\s+".join(map(re.escape, anchor.text.split())), rest)
        assert PASSAGE_MIN <= len(anchor.text) <= PASSAGE_MAX


def test_lines_may_end_as_on_windows() -> None:
    assert told(f"# Title\r\n\r\n{FABLE}\r\n\r\n{TIDE}\r\n") == [(FABLE, "t.txt, line 3"), (TIDE, "t.txt, line 5")]


def test_a_later_piece_of_a_paragraph_has_its_own_line() -> None:
    lines = [f"Sentence number {n} is about ferries and goes on for a while, as they do." for n in range(20)]
    found = told("\n".join(lines))
    assert [int(source.split()[-1]) for _, source in found] == [
        lines.index(re.split(r"(?<=\.) ", t)[0]) + 1 for t, _ in found
    ]


# ---- folders


def test_texts_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    place = folder(tmp_path, b_txt=FABLE, a_md=TIDE, sub__c_TXT=f"\n{FABLE[2:]}", d_pdf=FABLE, e_yaml=FABLE)
    assert [(a.text, a.source) for a in load(place)] == [
        (TIDE, "a.md, line 1"),
        (FABLE, "b.txt, line 1"),
        (FABLE[2:], "sub/c.TXT, line 2"),
    ]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        pytest.param({}, "holds no .txt or .md file", id="empty"),
        pytest.param({"a_pdf": FABLE}, "holds no .txt or .md file", id="no text among the files"),
        pytest.param({"a_txt": SHORT}, "hold no passage of at least 40 characters", id="no passage in the texts"),
        pytest.param({"a_txt": "x\0y"}, "is not a text file", id="not text"),
    ],
)
def test_a_folder_without_passages_is_refused(tmp_path: Path, texts: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        load(folder(tmp_path, **texts))


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    folder(tmp_path, a_txt=FABLE)
    for name in ("a.txt", "nowhere"):
        with pytest.raises(BadInput, match="takes a folder with texts"):
            load(str(tmp_path / name))


def test_a_folder_that_cannot_be_read_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object) -> None:  # permissions do not hold whoever may do anything
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "scandir", denied)
    with pytest.raises(BadInput, match="cannot be read: Permission denied"):
        load(str(tmp_path))


def test_what_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(FABLE.encode() + b"\xff")
    with pytest.raises(BadInput, match="not UTF-8"):
        load(str(tmp_path))


def test_a_text_that_is_too_large_is_refused_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * 1_000_001)
    with pytest.raises(BadInput, match=r"a\.txt is larger than 1 MB, the most that a file may be$"):
        load(str(tmp_path))


def test_too_many_texts_are_refused(tmp_path: Path) -> None:
    for n in range(FILES_MAX):
        (tmp_path / f"{n}.txt").write_text(f"{FABLE} {n}")
    assert len(load(str(tmp_path))) == FILES_MAX
    (tmp_path / "one-more.txt").write_text(FABLE)
    with pytest.raises(BadInput, match=f"holds {FILES_MAX + 1} texts; at most {FILES_MAX}"):
        load(str(tmp_path))


def test_too_many_passages_are_refused(tmp_path: Path) -> None:
    many = "\n\n".join(f"{FABLE} {n}" for n in range(PASSAGES_MAX))
    (tmp_path / "a.txt").write_text(many)
    assert len(load(str(tmp_path))) == PASSAGES_MAX
    (tmp_path / "b.txt").write_text(TIDE)
    with pytest.raises(BadInput, match=f"more than {PASSAGES_MAX} passages"):
        load(str(tmp_path))
