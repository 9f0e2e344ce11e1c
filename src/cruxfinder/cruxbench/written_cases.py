"""Written cases: disputes in people's own words, a folder each, with a truth that no finder is shown."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from cruxfinder.cruxbench.answer_scoring import AnswerKey
from cruxfinder.cruxbench.dispute_records import ENDINGS, Remark
from cruxfinder.cruxbench.world_truth import SEVERAL_FACTS, WorldTruth
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Proposition
from cruxfinder.kernel.vocabulary import AgentId, Side, TopSide

CASES_MAX: Final = 10_000
BYTES_MAX: Final = 1_000_000  # of a file
TRUTH: Final = "truth.json"
POST: Final = re.compile(r"^\*\*([^*\n]+)\*\* \([^)\n]*\):[ \t]*(.*?)(?=^\*\*[^*\n]+\*\* \([^)\n]*\):|\Z)", re.S | re.M)

Chance = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class HeldChances:
    """What somebody holds of a question."""

    p_yes: Chance
    top_if_yes: Chance
    top_if_no: Chance


@dataclass(frozen=True, slots=True)
class PersonTruth:
    """Where somebody stands on the topic."""

    top: Chance
    side: TopSide


@dataclass(frozen=True, slots=True)
class CaseQuestion:
    """A crux or a decoy. A decoy has no role."""

    question: str
    people: dict[str, HeldChances]
    role: Literal["primary", "second", "behind the primary", ""] = ""
    yes_means: str = ""
    no_means: str = ""


@dataclass(frozen=True, slots=True)
class CaseTruth:
    """What is read of `truth.json`; the rest is for people."""

    topic: str
    people: dict[str, PersonTruth]
    cruxes: tuple[CaseQuestion, ...]
    decoys: tuple[CaseQuestion, ...]
    ending: str
    ending_also: tuple[str, ...] | str = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCase:
    """A case: what a finder is given, and what its answer is scored by."""

    name: str
    topic: str
    people: tuple[str, ...]
    said: tuple[Remark, ...]
    answer_key: AnswerKey
    digest: str  # of all that was read
    truth: CaseTruth = field(repr=False)


FORM: Final = TypeAdapter(CaseTruth)


def read_cases(folder: Path) -> tuple[WrittenCase, ...]:
    """Every folder in this one that holds a truth; or the folder itself, if it does. Raise BadInput for a bad one."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder} with written cases")
    places = [folder] if (folder / TRUTH).is_file() else sorted(path.parent for path in folder.glob(f"*/{TRUTH}"))
    if not places:
        raise BadInput(f"{folder} holds no written cases: a case is a folder with topic.txt, {TRUTH} and memos/*.md")
    if len(places) > CASES_MAX:
        raise BadInput(f"{folder} holds {len(places)} cases; at most {CASES_MAX} are read")
    return tuple(map(read_case, places))


def read_case(place: Path) -> WrittenCase:
    truth_text, topic = read_text(place / TRUTH), read_text(place / "topic.txt").strip()
    try:
        truth = FORM.validate_python(json.loads(truth_text), strict=False)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise BadInput(f"{place / TRUTH}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except ValueError as fault:
        raise BadInput(f"{place / TRUTH} is no JSON: {fault}") from None
    said = tuple(remarks_in(place))
    if fault := find_fault(truth, topic, said):
        raise BadInput(f"{place}: {fault}")
    texts = "\n".join([truth_text, topic, *(f"{r.who}: {r.text}" for r in said)])
    return WrittenCase(
        name=place.resolve().name,
        topic=topic,
        people=tuple(sorted(truth.people)),
        said=said,
        answer_key=key_of(truth),
        digest=sha256(texts.encode()).hexdigest()[:16],
        truth=truth,
    )


def read_text(path: Path) -> str:
    try:
        if path.stat().st_size > BYTES_MAX:
            raise BadInput(f"{path} is longer than {BYTES_MAX:,} bytes")
        return path.read_text("utf-8")
    except OSError as fault:
        raise BadInput(f"{path} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is no UTF-8 text") from None


def remarks_in(place: Path) -> Iterator[Remark]:
    """Memos in the order of their writers' names, or the posts of a thread as they came."""
    thread = place / "thread.md"
    if thread.is_file():
        yield from (Remark(who=who.strip(), text=text.strip()) for who, text in POST.findall(read_text(thread)))
        return
    for memo in sorted((place / "memos").glob("*.md")):
        yield Remark(who=memo.stem, text=read_text(memo).strip())


def find_fault(truth: CaseTruth, topic: str, said: tuple[Remark, ...]) -> str:
    people = set(truth.people)
    if topic != truth.topic.strip():
        return f"topic.txt and {TRUTH} have different topics"
    if {remark.who for remark in said} != people:
        return f"those who wrote ({', '.join(sorted({r.who for r in said}))}) are not the people of {TRUTH}"
    for item in (*truth.cruxes, *truth.decoys):
        if set(item.people) != people:
            return f"{TRUTH} does not say of everybody what they hold of {item.question!r}"
    endings = (truth.ending, *endings_also(truth))
    return next((f"there is no ending {e!r}" for e in endings if e not in ENDINGS), "")


def endings_also(truth: CaseTruth) -> tuple[str, ...]:
    also = truth.ending_also
    return (also,) if isinstance(also, str) else also


# ---- what an answer is scored by


def key_of(truth: CaseTruth) -> AnswerKey:
    """The questions of a case as those of a planted world, so that one scorer does for both."""
    asked = {f"c{n + 1}": item for n, item in enumerate(truth.cruxes)}
    decoys = {f"d{n + 1}": item for n, item in enumerate(truth.decoys)}
    ids = {name: AgentId(name) for name in truth.people}
    cruxes = tuple(asked)
    several = truth.ending == SEVERAL_FACTS
    return AnswerKey(
        known=tuple(proposition_of_case(id, item) for id, item in (asked | decoys).items()),
        truth=WorldTruth(
            ending=truth.ending,
            primary=() if several else cruxes,
            cruxes=() if several else cruxes,
            facts=cruxes if several else (),
            sides={ids[name]: person.side for name, person in truth.people.items()},
            crux_sides={id: sides_on(item.people, ids) for id, item in asked.items()},
        ),
        people={id: name for name, id in ids.items()},
        also=frozenset(endings_also(truth)),
        decoys=frozenset(decoys),
    )


def proposition_of_case(id: str, item: CaseQuestion) -> Proposition:
    """Its YES and NO texts stand for statement and denial: naming either is naming the question."""
    return Proposition(
        id=id,
        question=item.question,
        statement=item.yes_means,
        denial=item.no_means,
        yes_means=item.yes_means,
        no_means=item.no_means,
    )


def sides_on(held: Mapping[str, HeldChances], ids: Mapping[str, AgentId]) -> dict[AgentId, Side]:
    return {
        ids[name]: Side.YES if h.p_yes > 0.55 else Side.NO if h.p_yes < 0.45 else Side.UNCERTAIN
        for name, h in held.items()
    }
