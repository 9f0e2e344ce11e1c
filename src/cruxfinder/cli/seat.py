"""A seat at the table, taken from a terminal: a form, asked line by line until the answer can be used."""

import json
from collections.abc import Sequence
from typing import Final

from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.crux.asks import AskDraft, AskFirst, AskGrade, AskJudge, AskProbe, AskRelate
from cruxfinder.crux.moves import MOVE_TYPES
from cruxfinder.crux.thread import find_candidate, find_message
from cruxfinder.debaters.people.desk import why_unusable
from cruxfinder.debaters.people.form_answers import answer_from, is_needed, is_shown
from cruxfinder.debaters.people.seat_form import FormChoice, FormField, FormGroup, SeatForm, form_for
from cruxfinder.debaters.people.seat_references import reference_choices
from cruxfinder.errors import CruxfinderError
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import Silence, name_of
from cruxfinder.language.counts import percent
from cruxfinder.language.numerals import parse_whole_number
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, debate_in, read_answer
from cruxfinder.talk.asks import AskConsent, AskTurn
from cruxfinder.telling.terminal_text import clean, cut

ON_ONE_LINE: Final = 45  # characters of choices that stand behind the question
SHOWN_MAX: Final = 100  # characters of a message to choose
YES_NO: Final = (FormChoice(value="yes", words="Yes"), FormChoice(value="no", words="No"))


async def ask_person(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
    """Ask the person at the keyboard until the answer can be used."""
    async with hold_keyboard():
        return await ask_until_usable(ask, record)


async def ask_until_usable(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
    form = form_for(ask, record)
    print_heading(ask, record, form)
    while True:
        values = await fill_in(form, ask, record)
        if values is None:
            return Silence()
        try:
            answer = read_answer(json.dumps(answer_from(form, values)))
        except CruxfinderError as error:
            print(f"  That cannot be used: {error}")
            continue
        if not (fault := why_unusable(ask, answer)):
            return answer
        print(f"  That cannot be used: {fault}.")


# ---- what is shown before


def print_heading(ask: AnyAsk, record: AnyRecord, form: SeatForm) -> None:
    print(f"\n── {clean(name_of(record, ask.agent))}, it is for you ──")
    print(f"  {form.title}")
    if form.note:
        print(f"  {form.note}")
    match ask:
        case AskDraft():
            show_draft(ask, record)
        case AskTurn():
            say(ask.task, "  ")
            if ask.subject:
                say(ask.subject, "  About: ")
            print_refusals(ask.refused)
        case AskFirst():
            say(record.started.topic, "  The topic: ")
        case AskProbe():
            say(record.started.topic, "  The topic: ")
        case AskJudge():
            say(ask.question, "  The question: ")
            say(f"{ask.side.value}: {ask.statement}", "  You are put down for ")
        case AskRelate():
            for lead, question in zip(("First", "Second"), ask.questions, strict=True):
                say(f"{question.question} YES: {question.yes_means} NO: {question.no_means}", f"  {lead}: ")
        case AskGrade():
            test = f"; what would change your mind: {ask.falsifier}" if ask.falsifier else ""
            say(f"{ask.claim}, because {ask.reason}{test}", "  Somebody says that you hold ")
        case AskConsent():
            say(ask.proposal, "  The proposal: ")
        case _:
            pass


def show_draft(ask: AskDraft, record: AnyRecord) -> None:
    thread = debate_in(record).threads[ask.thread]
    crux = find_candidate(thread, thread.crux)
    say(f"{thread.id}, {thread.stage.value}: {thread.topic if crux is None else crux.question}", "  ")
    if ask.duty is not None:
        whom = f" {clean(name_of(record, ask.duty.about))}" if ask.duty.about else ""
        say(f"{MOVE_TYPES[ask.duty.move].words.title}{whom}. {ask.duty.note}", "  You owe: ")
        message = None if ask.duty.message is None else find_message(thread, ask.duty.message)
        if message is not None:
            say(f"{name_of(record, message.agent)}: {message.content}", "  It is about: ")
    print_refusals(ask.refused)


def print_refusals(reasons: tuple[Refusal, ...]) -> None:
    for reason in reasons:
        say(f"{reason.reason}. {reason.remedy} ({reason.rule})", "  Sent back: ")


def say(line: str, lead: str) -> None:
    print(f"{lead}{clean(line).strip()}")


# ---- what is asked


async def fill_in(form: SeatForm, ask: AnyAsk, record: AnyRecord) -> dict[str, str] | None:
    """What is typed, by field; nothing where the person stays silent."""
    values: dict[str, str] = {}
    if form.moves is not None:
        move = await ask_move(form, form.moves, ask, record)
        if not move:
            return None
        values[form.moves.key] = move
    for number, group in enumerate(g for g in form.groups if is_shown(g.shown, values)):
        if number:
            show_group(group)
        for field in group.fields:
            if not is_shown(field.shown, values):
                continue
            passes = form.silent and form.moves is None and field.kind == "text" and not field.optional
            await fill_field(field, values, ask, record, passes=passes)
            if passes and not values.get(field.key):
                return None
    return values


def show_group(group: FormGroup) -> None:
    means = f" YES: {group.yes_means} NO: {group.no_means}" if group.yes_means else ""
    say(f"{group.legend}{means}", "  - ")


async def ask_move(form: SeatForm, moves: FormField, ask: AnyAsk, record: AnyRecord) -> str:
    """A move by its number; an empty line makes the one that is owed, or none."""
    owed = next((c for c in moves.choices if c.value == moves.start and isinstance(ask, AskDraft) and ask.duty), None)
    for number, choice in enumerate(moves.choices, start=1):
        print(f"    {number}  {choice.words}: {choice.note}")
    print("    0  Say nothing")
    while True:
        given = await read_line(f"  {moves.asks} (Enter: {owed.words if owed else 'say nothing'}) ")
        number = parse_whole_number(given)
        if not given or number == 0:
            return owed.value if owed and not given else ""
        if number is None or number > len(moves.choices):
            print(f"  A number from 0 to {len(moves.choices)}, please.")
            continue
        move = moves.choices[number - 1].value
        if not (lacking := lacking_reference(form, move, ask, record)):
            return move
        print(f"  {lacking} There is none yet.")


def lacking_reference(form: SeatForm, move: str, ask: AnyAsk, record: AnyRecord) -> str:
    """A question of the move that nothing can answer."""
    group = next(g for g in form.groups if is_shown(g.shown, {"move": move}))
    return next((f.asks for f in group.fields if f.refers and not choices_of(f, ask, record)), "")


def choices_of(field: FormField, ask: AnyAsk, record: AnyRecord) -> tuple[FormChoice, ...]:
    if field.refers is None or not isinstance(ask, AskDraft):
        return field.choices
    return reference_choices(field.refers, ask, debate_in(record))


async def fill_field(
    field: FormField, values: dict[str, str], ask: AnyAsk, record: AnyRecord, *, passes: bool = False
) -> None:
    may_lack = passes or not is_needed(field, values)
    match field.kind:
        case "text":
            values[field.key] = await ask_text(field, may_lack=may_lack, passes=passes)
        case "chance":
            values[field.key] = await ask_chance(field.asks)
        case "choice" | "flag" | "reference" | "falsifier":
            choices = choices_of(field, ask, record)
            values[field.key] = await ask_choice(field.asks, choices, start=field.start, may_lack=may_lack)
        case "group":
            print(f"  {field.asks}")
            if may_lack and await ask_choice("  Say it now?", YES_NO) == "no":
                return
            for part in field.parts:
                await fill_field(part, values, ask, record)


# ---- lines


async def ask_text(field: FormField, *, may_lack: bool, passes: bool) -> str:
    words = f"at most {field.words} words" if field.words else ""
    enter = "say nothing" if passes else "leave it out"
    empty = f"Enter: {field.start}" if field.start else f"Enter: {enter}" if may_lack else ""
    told = "; ".join(part for part in (words, field.hint, empty) if part)
    asks = f"  {field.asks} ({clean(told)}) " if told else f"  {field.asks} "
    while not (given := await read_line(asks) or field.start) and not may_lack:
        print("  Something has to stand here.")
    return given


async def ask_chance(asks: str) -> str:
    """As a share or in percent."""
    while True:
        given = (await read_line(f"  {asks} (0 to 100 %) ")).removesuffix("%").strip().replace(",", ".")
        try:
            value = float(given)
        except ValueError:
            value = -1.0
        if 0 <= value <= 100:
            share = value / 100
            print(f"    {percent(share)}")
            return str(share)
        print("  A number from 0 to 100, please.")


async def ask_choice(asks: str, choices: Sequence[FormChoice], *, start: str = "", may_lack: bool = False) -> str:
    """One of several, by its number where they are numbered, or by how it begins."""
    numbered = sum(len(c.words) for c in choices) > ON_ONE_LINE or any(c.words[:1].isdigit() for c in choices)
    taken = next((c.words for c in choices if c.value == start), "leave it out" if may_lack else "")
    enter = f" (Enter: {cut(clean(taken), 40)})" if taken else ""
    if numbered:
        print(f"  {asks}")
        for number, choice in enumerate(choices, start=1):
            print(f"    {number}  {cut(clean(choice.words), SHOWN_MAX)}")
        line = f"  Which?{enter} "
    else:
        line = f"  {asks} [{'/'.join(c.words for c in choices)}]{enter} "
    while True:
        given = (await read_line(line)).casefold()
        if not given and taken:
            return start
        number = parse_whole_number(given) if numbered else None
        if number is not None and 1 <= number <= len(choices):
            return choices[number - 1].value
        found = matching(given, choices)
        if len(found) == 1:
            return found[0].value
        print(f"  {f'A number from 1 to {len(choices)}' if numbered else told_choices(choices)}, please.")


def told_choices(choices: Sequence[FormChoice]) -> str:
    return f"One of {', '.join(choice.words for choice in choices)}"


def matching(given: str, choices: Sequence[FormChoice]) -> list[FormChoice]:
    """Those that are exactly so, or else all that begin so."""
    spelled = [(choice, (choice.value.casefold(), choice.words.casefold())) for choice in choices]
    exact = [choice for choice, ways in spelled if given in ways]
    return exact or [choice for choice, ways in spelled if given and any(way.startswith(given) for way in ways)]
