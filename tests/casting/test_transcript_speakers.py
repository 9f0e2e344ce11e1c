"""Who speaks in a transcript, in the forms transcripts come in, and a persona for each with quotes of their own."""

import json
from pathlib import Path

import pytest

from cruxfinder.adapters.casting.text_files import Document
from cruxfinder.adapters.casting.transcripts import personas_of_transcript, speakers
from cruxfinder.errors import BadInput
from tests import pace
from tests.casting.people import TOPIC, asked, unmarked

ADA = "I would split it now, because the teams wait for each other every week of the year and nobody is proud of it."
BO = "I would keep it, since every call that leaves the process can fail, and we have nobody who is paid to watch that."
MORE = "And there is more to say about this than fits into one breath, so let me add these few words to what I said."


def said(text: str) -> dict[str, list[str]]:
    return {s.name: [" ".join(text[x.start : x.end].split()) for x in s.stretches] for s in speakers(text)}


FORMS = {
    "plain": f"Ada: {ADA}\nBo: {BO}\nAda: {MORE}\nBo: {MORE}\n",
    "windows lines": f"Ada: {ADA}\r\nBo: {BO}\r\nAda: {MORE}\r\nBo: {MORE}",
    "times": f"[00:01:02] Ada: {ADA}\n[00:02:00] Bo: {BO}\n[1:03:00.250] Ada: {MORE}\n(04:00) - Bo: {MORE}",
    "markdown": f"# Meeting: March\n\n**Ada:** {ADA}\n\n**Bo:** {BO}\n\n**Ada**: {MORE}\n\n- **Bo:** {MORE}",
    "roles": f"Ada (lead of billing): {ADA}\nBo (on call): {BO}\nAda: {MORE}\nBo: {MORE}",
    "cases": f"ADA: {ADA}\nbo: {BO}\nada: {MORE}\nBo: {MORE}",
    "a label on its own line": f"Ada:\n{ADA}\n\nBo:\n{BO}\nAda:\n{MORE}\nBo:\n{MORE}",
    "voices": (
        f"WEBVTT - Meeting: March\n\nNOTE recorded\n\n1\n00:01.000 --> 00:04.000\n<v Ada>{ADA}</v>\n\n2\n"
        f"00:05.000 --> 00:09.000\n<v.loud Bo>{BO}\n\n00:09.000 --> 00:12.000\n<v Ada>{MORE}</v> <v Bo>{MORE}</v>\n"
    ),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_the_forms_of_a_transcript(text: str) -> None:
    found = said(text)
    assert {name.casefold(): parts for name, parts in found.items()} == {"ada": [ADA, MORE], "bo": [BO, MORE]}


def test_roles_and_order_and_words_are_kept() -> None:
    ada, bo = speakers(FORMS["roles"])
    assert (ada.name, ada.role, bo.name, bo.role) == ("Ada", "lead of billing", "Bo", "on call")
    assert ada.words == len(f"{ADA} {MORE}".split())


def test_lines_without_a_label_go_on_with_the_last_speaker() -> None:
    beside = "One thing is clear: it is late.\nNote: see https://example.org"
    found = said(f"A title\n\nAda: {ADA}\n{MORE}\n\n{beside}\nBo: {BO}\n{MORE}")
    assert found["Ada"] == [f"{ADA} {MORE} One thing is clear: it is late. Note: see https://example.org"]
    assert found["Bo"] == [f"{BO} {MORE}"]


def test_times_between_lines_are_nobodys_words() -> None:
    cue = "3\n00:00:09,000 --> 00:00:12,000\n"
    found = said(f"1\n00:00:01,000 --> 00:00:04,000\nAda: {ADA}\n\n{cue}{MORE}\n\n{cue}Bo: {BO}\n\n{cue}{MORE}\n")
    assert found == {"Ada": [ADA, MORE], "Bo": [BO, MORE]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Just a memo, nobody speaks here.", "talk.txt has no line that says who speaks", id="no labels"),
        pytest.param(f"Ada: {ADA} {MORE}", "talk.txt has Ada with 47 words; 2 speakers", id="one speaker"),
        pytest.param(
            f"Ada: {ADA} {MORE}\nBo: No.\nCy: Not at all",
            "has Ada with 47 words, Cy with 3 words, Bo with 1 word; 2 speakers with 40 words or more are needed",
            id="others say little",
        ),
        pytest.param(
            "\n".join(f"Speaker {n}: yes" for n in range(9)),
            "Speaker 5 with 1 word and 3 more; 2 speakers",
            id="many who say little",
        ),
    ],
)
def test_too_few_who_say_enough(text: str, told: str) -> None:
    with pytest.raises(BadInput) as refused:
        speakers(text, "talk.txt")
    assert told in str(refused.value)


def brain(system: str, user: str) -> str:
    """Quotes what both say, and the first words of the speaker."""
    quotes = [ADA[:60].rsplit(" ", 1)[0] if ADA[:40] in user else BO[:60].rsplit(" ", 1)[0], MORE]
    return json.dumps({"role": "somebody", "claims": [{"claim": f"It is {q[8:20]}", "quote": q} for q in quotes]})


@pytest.mark.rule("PLUS-10")
@pytest.mark.parametrize("form", ["plain", "windows lines", "voices"])
def test_each_speaker_is_a_persona_and_offsets_are_those_of_the_file(form: str, tmp_path: Path) -> None:
    text = FORMS[form]
    path = tmp_path / "talk.txt"
    path.write_bytes(text.encode())
    found, server, _ = asked(brain, lambda t, b: personas_of_transcript(str(path), topic=TOPIC, thinker=t, budget=b))
    ada, bo = (portrait.persona for portrait in found)
    assert (ada.name, bo.name, ada.about) == ("Ada", "Bo", "somebody")
    for persona in (ada, bo):
        assert [text[c.start : c.end] for c in persona.claims] == [c.quote for c in persona.claims]
        assert persona.claims[0].source == "talk.txt"
    first, second = text.index(MORE), text.rindex(MORE)
    assert (ada.claims[1].start, bo.claims[1].start) == (first, second), "the same words, each speaker's own"
    assert len(server.calls) == 2
    for call in server.calls:
        assert (ADA in call.user) != (BO in call.user), "nobody else's words"
        assert "would" not in unmarked(call.user).replace("they would", ""), "and only as data"


@pytest.mark.rule("PLUS-10")
def test_words_of_another_speaker_are_refused() -> None:
    calls: list[str] = []

    def swapped(_system: str, user: str) -> str:
        """Puts Bo's words into Ada's mouth, until told."""
        calls.append(user)
        own = ADA if ADA in user else BO
        quote = BO if own == ADA and "could not be used" not in user else own
        return json.dumps({"role": "somebody", "claims": [{"claim": "It is so", "quote": quote}]})

    talk = Document(source="talk.txt", text=FORMS["plain"])
    found, _, _ = asked(swapped, lambda t, b: personas_of_transcript(talk, topic=TOPIC, thinker=t, budget=b))
    assert [p.persona.claims[0].quote for p in found] == [ADA, BO]
    assert len(calls) == 3 and any(f'word for word: "{BO[:100]}' in call for call in calls)


def test_of_more_than_twelve_those_who_say_most_are_taken() -> None:
    turns = [f"Speaker {n}: {MORE} {ADA} {'again ' * (n % 7)}" for n in range(14)]
    talk = Document(source="talk.txt", text="\n".join(turns))

    def echo(_system: str, user: str) -> str:
        return json.dumps({"role": "somebody", "claims": [{"claim": "So it is", "quote": MORE}]})

    found, _, _ = asked(echo, lambda t, b: personas_of_transcript(talk, topic=TOPIC, thinker=t, budget=b))
    assert [p.persona.name for p in found] == [f"Speaker {n}" for n in range(14) if n not in {0, 7}]


@pytest.mark.parametrize(
    "filler",
    [
        pytest.param(f"x{' ' * 900_000}y", id="one line of spaces"),
        pytest.param(f"{' ' * 900_000}y", id="spaces first"),
        pytest.param(f"A{' ' * 900_000}y", id="a name and spaces"),
        pytest.param("\n".join(f"{n}\n{n}: 00:00 --> 00:01" for n in range(40_000)), id="cues"),
        pytest.param("<v " * 300_000, id="voices that never end"),
        pytest.param(f"00:00{' ' * 900_000}", id="a time and spaces"),
    ],
)
def test_no_file_takes_much_longer_than_a_usual_one(filler: str) -> None:
    odd = f"\nAda: {ADA} {MORE}\nBo: {BO} {MORE}\n{filler}"
    assert [s.name for s in speakers(odd)][:2] == ["Ada", "Bo"]
    usual = "\n" + FORMS["plain"] * (len(odd) // len(FORMS["plain"]))
    assert pace.times(speakers, odd, usual, enough=10) < 10
