"""Reads what a survey asks: a topic, its propositions and who is asked, from a small YAML file or from a pack."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from cruxfinder.adapters.packs import fields, pack_finder, pack_limits, pack_reader
from cruxfinder.adapters.packs.document import Listing, Mapping, Scalar, compose
from cruxfinder.adapters.packs.fields import Faults, Form, YamlEntry, record
from cruxfinder.adapters.tables.credence_rows import AGENTS_MAX, NAME_MAX, PROPOSITIONS_MAX, TEXT_MAX
from cruxfinder.errors import BadInput
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.vocabulary import CandidateId
from cruxfinder.tables.credences.credence_answers import SurveyProposition

ROOT: Final = "the survey"
FORMULAS: Final = ("=", "+", "-", "@")  # a spreadsheet would compute these instead of showing them


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyTopic:
    topic: str
    propositions: tuple[SurveyProposition, ...]
    agents: tuple[str, ...] = ()


def find(name_or_path: str) -> SurveyTopic:
    """What a file asks, or a pack, by name or path. Raise BadInput if there is none, BadPack with every fault."""
    if name_or_path in pack_finder.names() or not name_or_path.endswith(pack_finder.SUFFIXES):
        return topic_of_pack(pack_finder.find(name_or_path)[0])
    text, shown = pack_finder.file_text(name_or_path), pack_finder.shown_name(name_or_path)
    root = YamlEntry(key="", path=ROOT, line=1, node=compose(text, shown))
    if isinstance(root.node, Mapping) and any(isinstance(k, Scalar) and k.text == "pack" for k, _ in root.node.pairs):
        return topic_of_pack(pack_reader.read(text, shown))
    faults = Faults()
    found = read(root, faults)
    faults.raise_if_any(shown)
    return found


def topic_of_pack(pack: Pack) -> SurveyTopic:
    """The topic and its questions. Believers of a pack are not the people who fill in a form."""
    asked = [
        SurveyProposition(id=CandidateId(p.id), text=p.question, yes_means=p.yes_means, no_means=p.no_means)
        for p in pack.propositions
    ]
    return SurveyTopic(topic=pack.topic, propositions=tuple(asked))


def read(root: YamlEntry, faults: Faults) -> SurveyTopic:
    told = record(root, faults, required=("topic", "propositions"), optional=("agents",))
    propositions, agents = told.items("propositions", PROPOSITIONS_MAX), told.items("agents", AGENTS_MAX)
    asked = tuple(proposition(entry, faults) for entry in propositions)
    names = tuple(fields.text(entry, NAME_MAX, Form.LINE, faults) for entry in agents)
    check(propositions, [a.text for a in asked], faults)
    check(agents, names, faults)
    given = told.get("propositions")
    if given and isinstance(given.node, Listing) and not propositions:
        faults.add(given.line, "propositions is empty: name at least one")
    return SurveyTopic(topic=told.text("topic", pack_limits.CLAUSE_MAX, Form.CLAUSE), propositions=asked, agents=names)


def check(entries: Sequence[YamlEntry], texts: Sequence[str], faults: Faults) -> None:
    first: dict[str, YamlEntry] = {}
    for entry, text in zip(entries, texts, strict=True):
        if text.startswith(FORMULAS):
            faults.add(entry.line, f"{entry.path} starts with {text[0]}: a spreadsheet would take it for a formula")
        if text and (known := first.setdefault(text.casefold(), entry)) is not entry:
            faults.add(entry.line, f"{entry.path} says the same as {known.path} on line {known.line}")


def with_agents(topic: SurveyTopic, names: Sequence[str]) -> SurveyTopic:
    """The same questions put to these people."""
    for name in names:
        if not name or len(name) > NAME_MAX or not name.isprintable() or name.startswith(FORMULAS):
            raise BadInput(f"{name!r} is no name for a form: at most {NAME_MAX} characters, a letter or digit first")
    if len({name.casefold() for name in names}) != len(names):
        raise BadInput("an agent is named twice")
    if len(names) > AGENTS_MAX:
        raise BadInput(f"a form takes at most {AGENTS_MAX} agents, not {len(names)}")
    return replace(topic, agents=tuple(names))


def proposition(entry: YamlEntry, faults: Faults) -> SurveyProposition:
    """A text, or a mapping that adds what YES and NO mean."""
    id = CandidateId(f"p{entry.key}")
    if isinstance(entry.node, Scalar):
        return SurveyProposition(id=id, text=fields.text(entry, TEXT_MAX, Form.LINE, faults))
    told = record(entry, faults, required=("proposition",), optional=("yes_means", "no_means"))
    return SurveyProposition(
        id=id,
        text=told.text("proposition", TEXT_MAX),
        yes_means=told.text("yes_means", pack_limits.CLAUSE_MAX, Form.CLAUSE),
        no_means=told.text("no_means", pack_limits.CLAUSE_MAX, Form.CLAUSE),
    )
