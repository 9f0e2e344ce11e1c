"""Reads a table of credences, a row for each agent and proposition; whatever is wrong is told with its line."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cruxfinder.adapters.tables.csv_sheet import COLUMNS, Row, clip_text, column, file_text, rows_of
from cruxfinder.crux.asks import Credence
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AgentId, CandidateId
from cruxfinder.language.numerals import short_repr
from cruxfinder.tables.credences.credence_answers import SurveyAnswers, SurveyProposition

CHANCES: Final = COLUMNS[3:]
TOLD_BY: Final = 4  # so many of the columns tell a table of credences from any other

AGENTS_MAX: Final = 1000
PROPOSITIONS_MAX: Final = 60
NAME_MAX: Final = 80
TEXT_MAX: Final = 400
SHOWN_MAX: Final = 5
CHANCE: Final = re.compile(r"([-+]?)([0-9]{0,30}(?:[.,][0-9]{0,30})?(?:[eE][-+]?[0-9]{1,3})?)\s*(%?)")


def is_credences(header: Sequence[str]) -> bool:
    """Whether a table with this header holds credences, be it incomplete: its faults are then ours to tell."""
    names = {column(name) for name in header}
    return "credence" in names and len(names & set(COLUMNS)) >= TOLD_BY


def read(path: str | Path) -> SurveyAnswers:
    """The answers in a CSV file. Raise BadInput for a table that cannot be trusted."""
    shown = clip_text(str(path))
    return read_text(file_text(path, shown), shown)


def read_text(text: str, source: str) -> SurveyAnswers:
    return gather_answers(rows_of(text, source), source, "line")


def read_rows(rows: Iterable[Mapping[str, object]]) -> SurveyAnswers:
    """The answers in rows made in Python: chances as numbers or text, None where there is no answer."""
    if not isinstance(rows, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f"a table is the path of a file or a list of rows, not {type(rows).__name__}")
    return gather_answers(number_rows(rows), "the table", "row")


def number_rows(rows: Iterable[Mapping[str, object]]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadInput(f"row {number} of the table is no mapping of columns to cells")
        told = {column(str(name)): cell(value) for name, value in row.items()}
        if lacking := [name for name in COLUMNS if name not in told]:
            raise BadInput(f"row {number} of the table lacks {', '.join(lacking)}")
        yield number, told


def cell(value: object) -> str:
    """The text of a value of Python; of a whole number too long to be written, what is no chance either."""
    return "" if value is None else short_repr(value) if isinstance(value, int) else str(value).strip()


@dataclass
class AnswerCollector:
    """What the rows said so far, and on which line each thing was said first."""

    source: str
    unit: str  # what a row's number counts: lines of a file, or rows
    faults: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    topic: str = ""
    agents: dict[str, int] = field(default_factory=dict[str, int])
    folded: dict[str, str] = field(default_factory=dict[str, str])
    tops: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])
    asked: dict[str, SurveyProposition] = field(default_factory=dict[str, SurveyProposition])
    rows: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    given: dict[str, dict[CandidateId, Credence]] = field(default_factory=dict[str, dict[CandidateId, Credence]])
    skipped: list[int] = field(default_factory=list[int])
    partly: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def fault(self, line: int, sentence: str) -> None:
        self.faults.append((line, sentence))


def gather_answers(rows: Iterator[Row], source: str, unit: str) -> SurveyAnswers:
    found = AnswerCollector(source, unit)
    for line, row in rows:
        take_row(found, line, row)
    raise_faults(found)
    if not found.rows:
        raise BadInput(f"{source} is not filled in: no row names an agent and a proposition")
    if not found.tops:
        where = location(found, list(found.agents.values()))
        raise BadInput(f"{source} is not filled in: top is empty for {name_agents(found.agents)} ({where})")
    if not any(found.given.get(agent) for agent in found.tops):
        empty = [*found.skipped, *(line for line, _ in found.partly)]
        told = f"{', '.join(CHANCES[:2])} and {CHANCES[2]} are empty ({location(found, sorted(empty))})"
        raise BadInput(f"{source} is not filled in: no proposition is answered in full; {told}")
    return SurveyAnswers(
        topic=found.topic,
        asked=tuple(found.asked.values()),
        tops={AgentId(agent): top for agent, (_, top) in found.tops.items()},
        credences={AgentId(agent): found.given.get(agent, {}) for agent in found.tops},
        notes=tuple(notes(found)),
    )


def take_row(found: AnswerCollector, line: int, row: Mapping[str, str]) -> None:
    agent, text = " ".join(row["agent"].split()), " ".join(row["proposition"].split())
    answered = any(row[name] for name in ("top", *CHANCES))
    if not agent and not answered:
        return  # a row of a form that nobody took
    if not check_row_names(found, line, agent, text):
        return
    if row.get("topic"):
        found.topic = found.topic or row["topic"]
        if row["topic"] != found.topic:
            found.fault(line, f"the topic is {clip_text(row['topic'])!r} here and {clip_text(found.topic)!r} above")
    asked = found.asked.setdefault(text, SurveyProposition(id=CandidateId(f"p{len(found.asked) + 1}"), text=text))
    if not asked.yes_means and not asked.no_means and (row.get("yes_means") or row.get("no_means")):
        meanings = (row.get("yes_means", ""), row.get("no_means", ""))
        found.asked[text] = SurveyProposition(id=asked.id, text=text, yes_means=meanings[0], no_means=meanings[1])
    if row["top"]:
        take_top(found, line, agent, row["top"])
    take_chances(found, line, agent, asked.id, row)


def check_row_names(found: AnswerCollector, line: int, agent: str, text: str) -> bool:
    """Whether the row says once who answers what."""
    for what, words, most in (("agent", agent, NAME_MAX), ("proposition", text, TEXT_MAX)):
        if not words:
            found.fault(line, f"the {what} is empty")
        elif len(words) > most:
            found.fault(line, f"the {what} has {len(words)} characters, at most {most} are allowed")
        elif not words.isprintable():
            found.fault(line, f"the {what} holds a hidden character: {clip_text(words)}")
        else:
            continue
        return False
    spelled = found.folded.setdefault(agent.casefold(), agent)
    if spelled != agent:
        found.fault(line, f"{agent!r} and {spelled!r} differ only in capital letters: spell a name one way")
        return False
    if (first := found.rows.setdefault((agent, text), line)) != line:
        found.fault(line, f"{agent} answers {clip_text(text)!r} here and on {found.unit} {first}")
        return False
    found.agents.setdefault(agent, line)
    if len(found.agents) > AGENTS_MAX or (text not in found.asked and len(found.asked) >= PROPOSITIONS_MAX):
        most = f"{AGENTS_MAX} agents and {PROPOSITIONS_MAX} propositions"
        raise BadInput(f"{found.source}, {found.unit} {line}: a table has at most {most}")
    return True


def take_top(found: AnswerCollector, line: int, agent: str, text: str) -> None:
    top = chance(found, line, "top", text)
    if top is None:
        return
    first, known = found.tops.setdefault(agent, (line, top))
    if abs(known - top) > 1e-9:
        found.fault(line, f"{agent}'s top is {text} here and {known:g} on {found.unit} {first}")


def take_chances(found: AnswerCollector, line: int, agent: str, id: CandidateId, row: Mapping[str, str]) -> None:
    empty = [name for name in CHANCES if not row[name]]
    read = [chance(found, line, name, row[name]) for name in CHANCES if row[name]]
    match read:
        case []:
            found.skipped.append(line)
        case [float() as c, float() as p1, float() as p0]:
            found.given.setdefault(agent, {})[id] = Credence(candidate=id, c=c, p1=p1, p0=p0)
        case _:
            found.partly.append((line, " and ".join(empty)))


def chance(found: AnswerCollector, line: int, name: str, text: str) -> float | None:
    """A number from 0 to 1 or a percentage; 70 could be either by mistake and is neither."""
    told = CHANCE.fullmatch(text)
    try:
        number = float(told[2].replace(",", ".")) if told else None
    except ValueError:
        number = None
    if told is None or number is None:
        how = "write a number from 0 to 1 or a percentage such as 70%, or leave it empty"
        found.fault(line, f"{name} is {clip_text(text)!r}: {how}")
        return None
    most = 100.0 if told[3] else 1.0
    if number > most or (told[1] == "-" and number > 0):
        hint = f"; write {text}% or {number / 100:g}" if not told[1] and not told[3] and number <= 100 else ""
        found.fault(line, f"{name} is {text}, and must lie between {'0% and 100%' if told[3] else '0 and 1'}{hint}")
        return None
    return number / most


def raise_faults(found: AnswerCollector) -> None:
    if not found.faults:
        return
    (line, sentence), *others = sorted(found.faults, key=lambda fault: fault[0])
    rest = [number for number, _ in others]
    more = f" (and {len(rest)} more: {location(found, rest)})" if rest else ""
    raise BadInput(f"{found.source}, {found.unit} {line}: {sentence}{more}")


def notes(found: AnswerCollector) -> Iterator[str]:
    for agent, line in found.agents.items():
        if agent not in found.tops:
            yield f"{agent} left top empty and is left out ({location(found, [line])})"
    for line, empty in found.partly[:SHOWN_MAX]:
        yield f"{found.unit} {line} lacks {empty} and counts as not answered"
    if len(found.partly) > SHOWN_MAX:
        yield f"{len(found.partly) - SHOWN_MAX} more answers lack a part and count as not given"
    if found.skipped:
        answers = (
            f"{len(found.skipped)} of {len(found.rows)} answers {'is' if len(found.skipped) == 1 else 'are'} empty"
        )
        yield f"{answers}; whoever skipped a proposition is left out of it ({location(found, found.skipped)})"


def location(found: AnswerCollector, lines: Sequence[int]) -> str:
    """Where, with the first few lines."""
    unique = list(dict.fromkeys(lines))
    shown = ", ".join(str(line) for line in unique[:SHOWN_MAX])
    return f"{found.unit}{'s' if len(unique) > 1 else ''} {shown}{', …' if len(unique) > SHOWN_MAX else ''}"


def name_agents(agents: Iterable[str]) -> str:
    names = list(agents)
    return ", ".join(names[:SHOWN_MAX]) + (f" and {len(names) - SHOWN_MAX} more" if len(names) > SHOWN_MAX else "")
