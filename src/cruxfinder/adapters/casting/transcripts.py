"""Who says what in a transcript, and a persona for each speaker. Every part knows where it stands in the file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from cruxfinder.adapters.casting import text_files
from cruxfinder.adapters.casting.persona_extraction import AuthoredText, Portrait, gather_or_cancel, portrait
from cruxfinder.adapters.casting.text_files import Document
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AGENTS_MAX, AGENTS_MIN
from cruxfinder.language.quotes import DocumentSpan
from cruxfinder.ports import Budget, Thinker

WORDS_MIN: Final = 40  # of a speaker; fewer are no position
SHOWN_MAX: Final = 6  # speakers named in a fault
LABEL_MAX: Final = 240  # characters of a line in which a label ends

TIME: Final = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
NAME: Final = r"(?P<name>[^\W\d_][^:：*<>()\[\]\n]{0,39}?)"
ROLE: Final = r"(?:\s*\((?P<role>[^()\n]{1,80})\))?"
SPOKEN: Final = re.compile(
    rf"\s*(?:[->*]\s+)?(?:[\[(]?{TIME}[\])]?\s*(?:[-–—]\s*)?)?"
    rf"(?:\*\*{NAME}{ROLE}\s*[:：]\*\*|\*\*{NAME.replace('name', 'bold')}\*\*{ROLE.replace('role', 'post')}\s*[:：]"
    rf"|{NAME.replace('name', 'bare')}{ROLE.replace('role', 'job')}\s?(?::(?=\s|$)|：))\s*"
)
VOICE: Final = re.compile(r"<v(?:\.[^\s>]{1,200})?\s+(?P<name>[^>\n]{1,40})>")
BESIDE: Final = re.compile(rf"WEBVTT\b.*|NOTE\b.*|#.*|[\[(]?{TIME}[\])]?|.*-->.*")
PARTICLES: Final = frozenset("al bin da de del der di du el la le of the van von y".split())
NO_NAMES: Final = frozenset(
    "agenda answer attendees cc conclusion date example from http https location note participants place present ps"
    " question re reason result sent subject summary time title to topic transcript update warning".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Everything one speaker says: where it stands in the file, and in how many words."""

    name: str
    role: str
    stretches: tuple[DocumentSpan, ...]
    words: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerLabel:
    """A label in the file and where the words after it begin."""

    name: str
    role: str
    start: int
    end: int


@dataclass(slots=True)
class SpeechBuilder:
    """A speaker while the file is read."""

    name: str
    role: str = ""
    stretches: list[DocumentSpan] = field(default_factory=list[DocumentSpan])


def speakers(text: str, source: str = "the transcript") -> tuple[Speech, ...]:
    """Those who say enough to hold a position, in order of appearance. Raise BadInput if they are fewer than two."""
    everybody = [build_speech(one, text) for one in read_speakers(text).values()]
    found = tuple(speech for speech in everybody if speech.words >= WORDS_MIN)
    if len(found) >= AGENTS_MIN:
        return found
    needed = f"{AGENTS_MIN} speakers with {WORDS_MIN} words or more are needed"
    if not everybody:
        raise BadInput(f'{source} has no line that says who speaks, such as "Ada: I would wait"; {needed}')
    longest = sorted(everybody, key=lambda speech: -speech.words)
    said = [f"{s.name} with {s.words} word{'s' * (s.words != 1)}" for s in longest[:SHOWN_MAX]]
    more = f" and {len(longest) - SHOWN_MAX} more" if len(longest) > SHOWN_MAX else ""
    raise BadInput(f"{source} has {', '.join(said)}{more}; {needed}")


async def personas_of_transcript(
    transcript: str | Document, *, topic: str, thinker: Thinker, budget: Budget
) -> tuple[Portrait, ...]:
    """One for each speaker, of more than twelve for those who say most. Offsets are those of the file."""
    document = text_files.read(transcript) if isinstance(transcript, str) else text_files.check_document(transcript)
    found = speakers(document.text, document.source)
    chosen = sorted(sorted(found, key=lambda s: -s.words)[:AGENTS_MAX], key=lambda s: s.stretches[0].start)
    wanted = [portrait(text_of_speaker(s, document), topic=topic, thinker=thinker, budget=budget) for s in chosen]
    return await gather_or_cancel(wanted)


def text_of_speaker(speech: Speech, document: Document) -> AuthoredText:
    return AuthoredText(
        source=document.source,
        document=document.text,
        stretches=speech.stretches,
        name=speech.name,
        role=speech.role,
    )


# ---- reading


def read_speakers(text: str) -> dict[str, SpeechBuilder]:
    """Speakers by name, whatever its case. Lines without a label belong to whoever spoke last."""
    lines = tuple(lines_of(text))
    turns = [labels_in_line(line, start) for line, start in lines]
    known = names_among(turns)
    found: dict[str, SpeechBuilder] = {}
    last: SpeechBuilder | None = None
    joined = False  # the next line goes on with the last stretch
    for n, (line, start) in enumerate(lines):
        labels = [turn for turn in turns[n] if key_of(turn.name) in known]
        for turn in labels:
            last = found.setdefault(key_of(turn.name), SpeechBuilder(name=turn.name))
            last.role = last.role or turn.role
            last.stretches.append(DocumentSpan(start=turn.start, end=turn.end))
            joined = True
        if labels or not line.strip():
            continue
        following = lines[n + 1][0] if n + 1 < len(lines) else ""
        if BESIDE.fullmatch(line.strip()) or (line.strip().isdigit() and "-->" in following):
            joined = False
        elif last is not None:
            end = start + length(line)
            begin = last.stretches.pop().start if joined else start
            last.stretches.append(DocumentSpan(start=begin, end=end))
            joined = True
    return found


def lines_of(text: str) -> Iterator[tuple[str, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield line.rstrip("\r\n"), at
        at += len(line)


def labels_in_line(line: str, start: int) -> list[SpeakerLabel]:
    """The labels of a line: any number of WebVTT voices, or one name before a colon."""
    if ":" not in line and "：" not in line and "<v" not in line:  # as most lines
        return []
    voices = list(VOICE.finditer(line))
    ends = [voice.start() for voice in voices[1:]] + [len(line)]
    if voices:
        return [
            SpeakerLabel(
                name=" ".join(voice["name"].split()),
                role="",
                start=start + voice.end(),
                end=start + voice.end() + length(line[voice.end() : end]),
            )
            for voice, end in zip(voices, ends, strict=True)
        ]
    label = SPOKEN.match(line, 0, LABEL_MAX)
    if label is None:
        return []
    name = " ".join((label["name"] or label["bold"] or label["bare"]).split())
    role = " ".join((label["role"] or label["post"] or label["job"] or "").split())
    if len(name.split()) > 5 or key_of(name) in NO_NAMES or BESIDE.fullmatch(line.strip()):
        return []
    return [
        SpeakerLabel(name=name, role=role, start=start + label.end(), end=start + max(label.end(), len(line.rstrip())))
    ]


def length(spoken: str) -> int:
    """Of what is said, without the end of a voice."""
    return len(spoken.rstrip().removesuffix("</v>").rstrip())


def names_among(turns: Sequence[Sequence[SpeakerLabel]]) -> set[str]:
    """What stands before a colon is a name if it is written like one somewhere, or stands there twice."""
    spellings: dict[str, list[str]] = {}
    for turn in (turn for labels in turns for turn in labels):
        spellings.setdefault(key_of(turn.name), []).append(turn.name)
    return {key for key, found in spellings.items() if len(found) > 1 or any(written_like_a_name(n) for n in found)}


def written_like_a_name(label: str) -> bool:
    return all(not word[0].islower() or word in PARTICLES for word in label.split())


def key_of(name: str) -> str:
    return name.casefold()


def build_speech(one: SpeechBuilder, text: str) -> Speech:
    stretches = tuple(s for s in one.stretches if text[s.start : s.end].strip())
    words = sum(len(text[s.start : s.end].split()) for s in stretches)
    return Speech(name=one.name, role=one.role, stretches=stretches, words=words)
