"""Words heard in context: exact, whichever texts are heard together, and aware of order."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.adapters.embeddings import points
from cruxfinder.adapters.embeddings.encoder import (
    BYTE,
    DIVIDED,
    HIDDEN_MAX,
    LENGTH,
    STEPS,
    SURE,
    WINDOW,
    AttentionEncoder,
    remember,
    windows,
)
from cruxfinder.adapters.embeddings.sums import tensors
from cruxfinder.adapters.embeddings.vectors import model_folder as topics_shipped
from cruxfinder.adapters.embeddings.wordpiece import TEXT_MAX, WordPiece

FLOAT32, FLOAT64 = 2**24, 2**53  # up to which every whole number has a place
VOCABULARY = json.loads((topics_shipped() / "tokenizer.json").read_bytes())["model"]["vocab"]
FILE = points.weights_folder() / "model.safetensors.gz"
READ = {name: array.astype(np.int64) for name, array in tensors(FILE.read_bytes()).items()}
READ_BACK = float(READ["factors"][4]), -int(READ["shifts"][4])
SAID = st.sampled_from("the ferry bank river loan never silts up and zzyzx 17 tolls é 桥".split())
WORDS = st.lists(SAID, max_size=60)
ENDS = st.sampled_from([" ", ". ", "? ", "\n"])


def hearing(cached: int = 64) -> AttentionEncoder:
    return AttentionEncoder(FILE, WordPiece(VOCABULARY), cached)


def heard(texts: list[str], heard: AttentionEncoder) -> list[list[int]]:
    return [vector.entries.tolist() for vector in heard.vectors(texts)]


def columns(name: str) -> int:
    """The most that a sum of one column can come to, for entries of 1."""
    return int(np.abs(READ[name]).sum(0).max())


@settings(max_examples=12, deadline=None)
@given(st.lists(st.builds(lambda words, end: end.join(words), WORDS, ENDS), min_size=1, max_size=6))
def test_a_text_is_heard_alike_alone_and_among_others(texts: list[str]) -> None:
    alone = hearing()
    assert heard(texts, hearing()) == [heard([text], alone)[0] for text in texts]


def test_every_sum_of_the_shipped_numbers_fits_its_type() -> None:
    assert BYTE * columns("asks") + np.abs(READ["asks_from"]).max() < FLOAT32
    width = READ["asks"].shape[1] // 2 // len(READ["near"])
    assert BYTE * BYTE * width < FLOAT32
    assert BYTE * columns("mix") < FLOAT32
    assert LENGTH * np.sqrt(np.square(READ["bend"]).sum(0)).max() + np.abs(READ["bend_from"]).max() < FLOAT32
    assert HIDDEN_MAX * columns("back") + np.abs(READ["back_from"]).max() < FLOAT32
    # Each piece gives away DIVIDED in all, and at most half of its shares more, as what it gives is rounded.
    assert WINDOW * (DIVIDED + WINDOW * SURE / 2) * BYTE < FLOAT64
    assert int(READ["weights"].max()) * BYTE * TEXT_MAX < FLOAT64
    back = (HIDDEN_MAX * columns("back") + np.abs(READ["back_from"]).max()) * np.ldexp(*READ_BACK)
    assert READ["rows"].shape[1] * (LENGTH * STEPS + back) ** 2 < FLOAT64


def test_the_shipped_numbers_are_those_of_the_vocabulary() -> None:
    assert len(READ["rows"]) == len(READ["weights"]) == len(VOCABULARY)
    assert not READ["rows"][-1].any() and not READ["weights"][-1]
    assert READ["weights"].min() >= 0 and np.abs(READ["rows"]).max() <= BYTE


def test_order_and_company_count() -> None:
    ours = hearing()
    bite, bitten, bank, lent = ours.vectors(["dogs bite men", "men bite dogs", "the river bank", "the bank lent money"])
    assert bite.entries.tolist() != bitten.entries.tolist()
    assert bank.entries @ lent.entries < 0.7 * np.sqrt(bank.square * lent.square)


def test_sentences_of_a_text_are_heard_each_on_its_own() -> None:
    a, b = "The harbour silts up.", "Ferries need depth!"
    assert heard([f"{a} {b}"], hearing()) == heard([f"{b}\n{a}"], hearing())


@pytest.mark.parametrize(("text", "pieces"), [("", 0), ("…!?", 0), ("🙂", 0), ("ferry", 1), ("ferry " * 3000, 3000)])
def test_texts_of_any_length_have_a_vector(text: str, pieces: int) -> None:
    (vector,) = hearing().vectors([text])
    assert vector.pieces == pieces
    assert vector.entries.tolist() == np.rint(vector.entries).tolist()
    assert 1 <= vector.square < FLOAT64


@pytest.mark.parametrize("count", [0, 1, WINDOW, WINDOW + 1, 5 * WINDOW - 1])
def test_windows_hold_every_piece_once_and_are_even(count: int) -> None:
    cut = windows(list(range(count)))
    assert [piece for window in cut for piece in window] == list(range(count))
    sizes = [len(window) for window in cut] or [0]
    assert max(sizes) <= WINDOW and max(sizes) - min(sizes) <= 1


def test_no_more_is_remembered_than_said() -> None:
    ours = hearing(cached=3)
    texts = [f"Ferry {n} is late." for n in range(9)]
    assert heard(texts, ours) == heard(texts, hearing())
    kept = {"a": 1, "b": 2, "c": 3, "d": 4}
    remember(kept, {"b": 5}, 4)
    assert [*kept] == ["a", "b", "c", "d"]
    remember(kept, {"e": 6}, 4)
    assert kept == {"c": 3, "d": 4, "e": 6}


# Recorded once: another machine, another numpy or another Python must find the same.
def test_a_vector_is_the_recorded_one_to_the_last_bit() -> None:
    (vector,) = hearing().vectors(["If the harbour silts up, then the ferry stops. Nobody dredges it!"])
    assert vector.entries[:8].tolist() == [-32675, -3266, -10746, -3865, -10458, 1716, -6915, -315]
    assert vector.square == 2_269_717_003
