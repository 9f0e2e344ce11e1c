"""What a person at a seat is asked, as a form: made from what the fields mean, for a terminal and for the page.

A form says where in the answer each value belongs, so that whoever shows it needs to know no ask and no move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from cruxfinder.crux import asks
from cruxfinder.crux.moves import MOVE_TYPES, Draft
from cruxfinder.crux.state import Debate
from cruxfinder.debaters.known_fields import known_fields
from cruxfinder.kernel.field_meanings import FIELD_MAX, MeantField, Refers, When, choice_words, meant_fields
from cruxfinder.kernel.vocabulary import MoveKind, Phase
from cruxfinder.protocols.any_ask import AnyAsk, AnyRecord, debate_in
from cruxfinder.talk import turn_tasks
from cruxfinder.talk.asks import AskConsent, AskTurn, AskUser, Consent, UserSaid
from cruxfinder.talk.law.turn_form import WORDS_MAX
from cruxfinder.talk.turns import TurnDraft, TurnType

Place = tuple[str | int, ...]  # keys and indexes, from the whole answer inwards
FormKind = Literal["text", "chance", "choice", "flag", "reference", "falsifier", "group"]
IN_PRIVATE: Final = "Only the measurement sees this; the others are never told while the debate runs."


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChoice:
    value: str
    words: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCondition:
    """The field with this key holds one of these values."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    key: str
    asks: str
    kind: FormKind
    places: tuple[Place, ...] = ()  # of its value; none: it only decides what else is asked
    choices: tuple[FormChoice, ...] = ()
    ends: tuple[str, ...] = ()  # what a chance of 0 and of 1 is called
    refers: Refers | None = None
    hint: str = ""
    most: int = FIELD_MAX  # characters
    words: int = 0  # at most; 0: as many as the characters allow
    rows: int = 2
    optional: bool = False
    needed: FormCondition | None = None  # though it is optional otherwise
    shown: FormCondition | None = None  # only then
    start: str = ""
    parts: tuple["FormField", ...] = ()  # of a group: all that are not optional, or none


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedValue:
    """What is in the answer without being asked for."""

    place: Place
    value: str | float | bool
    shown: FormCondition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormGroup:
    legend: str
    fields: tuple[FormField, ...]
    fixed: tuple[FixedValue, ...] = ()
    shown: FormCondition | None = None
    yes_means: str = ""
    no_means: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatForm:
    title: str
    groups: tuple[FormGroup, ...]
    note: str = ""  # who is told of the answer, where it is not said aloud
    silent: bool = False  # one may also say nothing
    moves: FormField | None = None  # the choice of a move, which comes first


def form_for(ask: AnyAsk, record: AnyRecord) -> SeatForm:
    match ask:
        case asks.AskFirst():
            fields = fields_of(asks.First, "first")
            title = "Where do you stand before anybody speaks?"
            return SeatForm(title=title, note=IN_PRIVATE, groups=(group("Your first position", fields, kind="first"),))
        case asks.AskDraft():
            return draft_form(ask, debate_in(record))
        case asks.AskProbe():
            return probe_form(ask)
        case asks.AskJudge():
            return judge_form()
        case asks.AskRelate():
            return relate_form()
        case asks.AskGrade():
            fields = fields_of(asks.Graded, "grade")
            title = "Does this say what you hold?"
            return SeatForm(title=title, note=IN_PRIVATE, groups=(group(title, fields, kind="graded"),))
        case AskTurn():
            return turn_form(ask)
        case AskConsent():
            title = "Can you live with this?"
            note = "Your answer, and your reason if you say no, is told in the synthesis."
            groups = (group(title, fields_of(Consent, "consent"), kind="consented"),)
            return SeatForm(title=title, note=note, groups=groups)
        case AskUser():
            fields = fields_of(UserSaid, "user")
            return SeatForm(title="A question to you", groups=(group("Your answer", fields, kind="user_said"),))
        case _:
            assert_never(ask)


# ---- fields


def group(legend: str, fields: tuple[FormField, ...], *, kind: str) -> FormGroup:
    return FormGroup(legend=legend, fields=fields, fixed=(FixedValue(place=("kind",), value=kind),))


def fields_of(owner: type, prefix: str, within: Place = ()) -> tuple[FormField, ...]:
    return tuple(form_field(f, prefix, (*within, f.name)) for f in meant_fields(owner))


def fields_named(owner: type, prefix: str, *names: str, within: Place = ()) -> tuple[FormField, ...]:
    found = {f.name: f for f in meant_fields(owner)}
    return tuple(form_field(found[name], prefix, (*within, name)) for name in names)


def form_field(field: MeantField, prefix: str, place: Place) -> FormField:
    meaning, optional = field.meaning, field.may_lack and field.meaning.asked_if is None
    made = FormField(
        key=f"{prefix}.{field.name}",
        asks=meaning.asks,
        kind="text",
        places=(place,),
        refers=meaning.refers,
        hint=meaning.hint,
        most=meaning.most,
        rows=meaning.rows,
        optional=optional,
        needed=condition(meaning.needed_if, prefix),
        shown=condition(meaning.asked_if, prefix),
    )
    match field.kind:
        case "text":
            return made
        case "chance":
            return replace(made, kind="chance", ends=meaning.ends)
        case "flag":
            yes, no = meaning.words
            words = (FormChoice(value="true", words=yes), FormChoice(value="false", words=no))
            return replace(made, kind="flag", choices=words)
        case "choice":
            words = tuple(FormChoice(value=c.value, words=choice_words(c)) for c in field.choices)
            return replace(made, kind="choice", choices=words)
        case "group":
            parts = tuple(form_field(part, prefix, (*place, part.name)) for part in field.parts)
            return replace(made, kind="group", parts=parts, places=())
        case "message" | "turn" | "agent" | "count":
            return replace(made, kind="falsifier" if meaning.refers is Refers.FALSIFIERS else "reference")


def condition(when: When | None, prefix: str) -> FormCondition | None:
    if when is None:
        return None
    values = tuple(str(v).lower() if isinstance(v, bool) else v.value for v in when.values)
    return FormCondition(key=f"{prefix}.{when.field}", values=values)


# ---- a move


def draft_form(ask: asks.AskDraft, record: Debate) -> SeatForm:
    owed = ask.duty.move if ask.duty is not None and ask.duty.move in ask.allowed else None
    start = owed or (ask.allowed[0] if len(ask.allowed) == 1 else None)
    titles = {kind: MOVE_TYPES[kind].words for kind in ask.allowed}
    moves = FormField(
        key="move",
        asks="Which?",
        kind="choice",
        places=(("draft", "move", "kind"),),
        choices=tuple(FormChoice(value=k.value, words=w.title, note=w.sentence) for k, w in titles.items()),
        start="" if start is None else start.value,
    )
    groups = tuple(move_group(kind, ask, record) for kind in ask.allowed)
    return SeatForm(title="Your move", groups=groups, silent=True, moves=moves)


def move_group(kind: MoveKind, ask: asks.AskDraft, record: Debate) -> FormGroup:
    known = known_fields(kind, ask, record)
    fields = meant_fields(MOVE_TYPES[kind])
    asked = [draft_field(f, kind, ask, record) for f in fields if f.name not in known]
    answered = ask.answers or (ask.duty.message if ask.duty is not None else None)
    fixed = [FixedValue(place=("kind",), value="drafted")]
    if answered is not None:
        fixed.append(FixedValue(place=("draft", "reply_to"), value=answered))
    for field in fields:
        if field.name in known:
            shown = condition(field.meaning.asked_if, kind.value)
            places = places_of(field)
            fixed += [FixedValue(place=place, value=known[field.name], shown=shown) for place in places]
    return FormGroup(
        legend=MOVE_TYPES[kind].words.title,
        fields=(*merge_falsifiers(asked), *fields_of(Draft, kind.value, ("draft",))),
        fixed=tuple(fixed),
        shown=FormCondition(key="move", values=(kind.value,)),
    )


def places_of(field: MeantField) -> tuple[Place, ...]:
    """The message a move is aimed at is the one it answers."""
    own: Place = ("draft", "move", field.name)
    return (own, ("draft", "reply_to")) if field.kind == "message" else (own,)


def draft_field(field: MeantField, kind: MoveKind, ask: asks.AskDraft, record: Debate) -> FormField:
    made = form_field(field, kind.value, ("draft", "move", field.name))
    if field.kind == "message":
        takes_it = field.meaning.refers in {Refers.OTHERS, Refers.MESSAGES} and ask.answers is not None
        return replace(made, places=places_of(field), start=str(ask.answers) if takes_it else "")
    if field.kind == "group" and record.started.day:
        made = replace(made, parts=tuple(with_day(part, record.started.day) for part in made.parts))
    drafted = record.threads[ask.thread].drafted.get(ask.agent)
    if field.kind == "group" and drafted is not None:  # the moderator drafted it, to be taken or replaced
        told = {f"{kind.value}.{part.name}": str(getattr(drafted, part.name)) for part in field.parts}
        return replace(made, parts=tuple(replace(part, start=told[part.key]) for part in made.parts))
    if field.kind == "flag" and ask.duty is not None and ask.duty.move is kind:
        return replace(made, start="false")  # a question is answered, not asked back
    return made


def with_day(part: FormField, day: str) -> FormField:
    """Whoever names a date is told from which day it counts."""
    return replace(part, hint=f"{part.hint}; today is {day}") if part.key.endswith(".deadline") else part


def merge_falsifiers(fields: list[FormField]) -> Iterator[FormField]:
    """Whose falsifier and which of theirs: a person chooses one falsifier, which gives both."""
    both = [field for field in fields if field.kind == "falsifier"]
    for field in fields:
        if field not in both:
            yield field
        elif field is both[0]:
            yield replace(field, places=tuple(place for f in both for place in f.places))


# ---- private questions


def probe_form(ask: asks.AskProbe) -> SeatForm:
    names = ("p_top", "public_side") if ask.phase is Phase.CHANGE else ("p_top",)
    topic = tuple(replace(field, optional=False) for field in fields_named(asks.Probed, "probe", *names))
    if ask.phase is Phase.GROUND:  # nothing hangs on it: the topic's chance stands for both answers
        more = tuple(("credences", n, place) for n in range(len(ask.questions)) for place in (2, 3))
        topic = (replace(topic[0], places=(*topic[0].places, *more)), *topic[1:])
    if ask.phase is Phase.LINKS:
        questions = tuple(pair_group(n, *pair) for n, pair in enumerate(ask.pairs))
    else:
        questions = tuple(question_group(ask.phase, n, question) for n, question in enumerate(ask.questions))
    groups = (group("The topic", topic, kind="probed"), *questions)
    return SeatForm(title="A private question", note=IN_PRIVATE, groups=groups)


def question_group(phase: Phase, row: int, question: asks.Question) -> FormGroup:
    """A row of the answer: the question, then a column for each field."""
    held, owner = ("fixed", asks.FixedReading) if phase is Phase.WORDING else ("credences", asks.Credence)
    asked = meant_fields(owner)[:1] if phase is Phase.GROUND else meant_fields(owner)
    prefix = f"probe.{question.id}"
    return FormGroup(
        legend=question.question,
        fields=tuple(form_field(f, prefix, (held, row, column)) for column, f in enumerate(asked, start=1)),
        fixed=(FixedValue(place=(held, row, 0), value=question.id),),
        yes_means=question.yes_means,
        no_means=question.no_means,
    )


def pair_group(row: int, first: asks.Question, second: asks.Question) -> FormGroup:
    """How one question bears on another."""
    chances = meant_fields(asks.QuestionLink)
    prefix = f"probe.{first.id}.{second.id}"
    return FormGroup(
        legend=f"First: {first.question} Second: {second.question}",
        fields=tuple(form_field(f, prefix, ("links", row, column)) for column, f in enumerate(chances, start=2)),
        fixed=tuple(FixedValue(place=("links", row, n), value=q.id) for n, q in enumerate((first, second))),
    )


def judge_form() -> SeatForm:
    fits = FormField(
        key="judge.fits",
        asks="Has the record got you right?",
        kind="flag",
        choices=(FormChoice(value="true", words="Yes"), FormChoice(value="false", words="No")),
    )
    wrong = FormCondition(key=fits.key, values=("false",))
    objection, *rest = (replace(field, shown=wrong) for field in fields_of(asks.Judged, "judge"))
    title = "Does the record have you right?"
    fields = (fits, replace(objection, optional=False), *rest)
    return SeatForm(title=title, groups=(group(title, fields, kind="judged"),))


def relate_form() -> SeatForm:
    first = fields_named(asks.Related, "relate", "second_if_yes", "second_if_no", "sketch")
    second = fields_named(asks.Related, "relate", "first_if_yes", "first_if_no", "back")
    return SeatForm(
        title="Two questions side by side",
        note="Only the measurement sees the chances; how one bears on the other may be shown to the others.",
        groups=(
            group("If the first is settled", first, kind="related"),
            FormGroup(legend="If the second is settled", fields=second),
        ),
    )


# ---- a turn of a conversation


def turn_form(ask: AskTurn) -> SeatForm:
    """The turn, or a question to the person who watches where that may take its place."""
    asks_user, content = fields_named(TurnDraft, "turn", "to_user", "content", within=("turn",))
    asks_user = replace(asks_user, start="false", optional=False)
    sentences = f"at most {ask.sentences} sentences" if ask.sentences > 1 else "one sentence" if ask.sentences else ""
    content = replace(content, words=ask.words, hint=sentences)
    extras = fields_named(TurnDraft, "turn", *turn_tasks.extra_fields(ask.type, ask.task), within=("turn",))
    extras = tuple(replace(f, optional=is_free(f, ask.type)) for f in extras)
    takes, when_asking = (FormCondition(key=asks_user.key, values=(value,)) for value in ("false", "true"))
    fixed = [FixedValue(place=("kind",), value="spoken")]
    if ask.answers is not None:
        fixed.append(FixedValue(place=("turn", "reply_to"), value=ask.answers, shown=takes if ask.may_ask else None))
    if not ask.may_ask:
        fixed.append(FixedValue(place=("turn", "type"), value=ask.type.value))
        fields = (content, *extras)
    else:
        fixed.append(FixedValue(place=("turn", "type"), value=ask.type.value, shown=takes))
        fixed.append(FixedValue(place=("turn", "type"), value=TurnType.QUESTION.value, shown=when_asking))
        words = min(WORDS_MAX[TurnType.QUESTION], ask.words)
        question = replace(content, key="turn.question", asks="What do you ask?", words=words, shown=when_asking)
        fields = (asks_user, question, *(replace(field, shown=takes) for field in (content, *extras)))
    shown = FormGroup(legend="Your turn", fields=fields, fixed=tuple(fixed))
    return SeatForm(title="Your turn to speak", groups=(shown,), silent=not ask.owed)


def is_free(field: FormField, type: TurnType) -> bool:
    """A ruling has a side, and a synthesis a next step."""
    return field.key == "turn.concedes" or (field.key == "turn.side" and type is not TurnType.RULING)
