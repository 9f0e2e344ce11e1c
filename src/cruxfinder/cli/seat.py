"""A seat at the table, taken from a terminal: what is asked, line by line, until the answer can be used."""

import json
from collections.abc import Sequence
from typing import Any, Final

from cruxfinder.cli.keyboard import hold_keyboard, read_line
from cruxfinder.cli.seat_fields import BOOLEANS, FALSIFIER, FIELDS, SIDES, MoveField
from cruxfinder.crux.asks import AskDraft, AskFirst, AskGrade, AskJudge, AskProbe, AskRelate, Question
from cruxfinder.crux.thread import find_candidate
from cruxfinder.debaters.people.desk import why_unusable
from cruxfinder.errors import CruxfinderError
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.run_facts import name_of
from cruxfinder.kernel.vocabulary import Grade, MoveKind, Phase, TopSide
from cruxfinder.language.counts import percent
from cruxfinder.language.numerals import parse_whole_number
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, debate_in, read_answer
from cruxfinder.talk.asks import AskConsent, AskTurn
from cruxfinder.talk.turns import TurnType
from cruxfinder.telling.terminal_text import clean, cut

SHOWN: Final = 9  # messages to choose from
SILENT: Final = {"kind": "silence"}
Values = dict[str, Any]


async def ask_person(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
    """Ask the person at the keyboard until the answer can be used."""
    async with hold_keyboard():
        return await ask_until_usable(ask, record)


async def ask_until_usable(ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
    print_heading(ask, record)
    while True:
        given = await ask_for_answer(ask, record)
        try:
            answer = read_answer(json.dumps(given))
        except CruxfinderError as error:
            print(f"  That cannot be used: {error}")
            continue
        if not (fault := why_unusable(ask, answer)):
            return answer
        print(f"  That cannot be used: {fault}.")


async def ask_for_answer(ask: AnyAsk, record: AnyRecord) -> Values:
    match ask:
        case AskDraft():
            return await ask_draft(ask, record)
        case AskTurn():
            return await ask_turn(ask)
        case AskFirst():
            p_top = await ask_chance("How likely is it that the topic is true?")
            side = await ask_choice("Which side do you take?", [s.value for s in TopSide])
            return {"kind": "first", "p_top": p_top, "side": side, "reason": await ask_text("Your main reason?")}
        case AskProbe():
            return await ask_probe(ask)
        case AskJudge():
            objection = await ask_text("What is wrong with that? (Enter: it represents me)", may_lack=True)
            return {"kind": "judged", "objection": objection}
        case AskRelate():
            return await ask_relation(ask)
        case AskGrade():
            grade = await ask_choice("How well does it say what you hold?", [g.value for g in Grade][1:])
            missing = "" if grade == Grade.ACCURATE else await ask_text("What is missing?", may_lack=True)
            return {"kind": "graded", "grade": grade, "missing": missing}
        case AskConsent():
            agrees = await ask_choice("Can you live with it?", ("yes", "no")) == "yes"
            return {
                "kind": "consented",
                "agrees": agrees,
                "why": "" if agrees else await ask_text("What stands against it?"),
            }
        case _:
            return {"kind": "user_said", "text": await ask_text("Your answer?", may_lack=True)}


# ---- what is shown before


def print_heading(ask: AnyAsk, record: AnyRecord) -> None:
    print(f"\n── {clean(name_of(record, ask.agent))}, it is for you ──")
    match ask:
        case AskDraft():
            show_draft(ask, record)
        case AskTurn():
            say(ask.task, "  ")
            if ask.subject:
                say(ask.subject, "  About: ")
            print_refusals(ask.refused)
        case AskFirst():
            say(f"{record.started.topic}. Nobody sees what you answer before the end.", "  ")
        case AskProbe():
            print("  In private: how likely do you think these things are?")
        case AskJudge():
            say(ask.question, "  The question: ")
            say(f"{ask.side.value}: {ask.statement}", "  You are put down for ")
        case AskRelate():
            print("  In private; how one question bears on the other may be shown to the others.")
            for question in ask.questions:
                say(question.question, "  - ")
        case AskGrade():
            test = f"; what would change your mind: {ask.falsifier}" if ask.falsifier else ""
            say(f"{ask.claim}, because {ask.reason}{test}", "  In private: somebody says that you hold ")
        case AskConsent():
            say(ask.proposal, "  The proposal: ")
            print("  Your answer, and your reason if you say no, is told in the synthesis.")
        case _:
            pass


def show_draft(ask: AskDraft, record: AnyRecord) -> None:
    thread = debate_in(record).threads[ask.thread]
    crux = find_candidate(thread, thread.crux)
    say(f"{thread.id}, {thread.stage.value}: {thread.topic if crux is None else crux.question}", "  ")
    if ask.duty is not None:
        whom = f" {clean(name_of(record, ask.duty.about))}" if ask.duty.about else ""
        say(f"{move_label(ask.duty.move)}{whom}. {ask.duty.note}", "  You owe: ")
    print_refusals(ask.refused)


def print_refusals(reasons: tuple[Refusal, ...]) -> None:
    for reason in reasons:
        say(f"{reason.reason}. {reason.remedy} ({reason.rule})", "  Sent back: ")


def say(line: str, lead: str) -> None:
    print(f"{lead}{clean(line).strip()}")


# ---- what is asked


async def ask_draft(ask: AskDraft, record: AnyRecord) -> Values:
    owed = ask.duty.move if ask.duty is not None and ask.duty.move in ask.allowed else None
    kind = await ask_move(ask.allowed, owed)
    if kind is None:
        return SILENT
    move: Values = {"kind": kind.value}
    for asked in FIELDS[kind]:
        given = await ask_field(asked, ask, record)
        if given is not None:
            move[asked.name] = given
    if kind is MoveKind.CONCEDE and move["top_changed"]:
        move |= {asked.name: await ask_field(asked, ask, record) for asked in SIDES}
    content = await ask_text("And in your own words, for everybody?")
    reply = move.get("target") if kind in (MoveKind.CHALLENGE, MoveKind.CLARIFY) else ask.answers
    draft: Values = {"move": move, "content": content}
    return {"kind": "drafted", "draft": draft if reply is None else {**draft, "reply_to": reply}}


async def ask_move(allowed: Sequence[MoveKind], owed: MoveKind | None) -> MoveKind | None:
    """A move by its number; an empty line makes the one that is owed, or none."""
    print("  " + "  ".join(f"{n} {move_label(kind)}" for n, kind in enumerate(allowed, start=1)) + "  0 say nothing")
    while True:
        given = await read_line(f"  Which? (Enter: {move_label(owed) if owed else 'say nothing'}) ")
        if not given:
            return owed
        number = parse_whole_number(given)
        if number is not None and 0 <= number <= len(allowed):
            return allowed[number - 1] if number else None
        print(f"  A number from 0 to {len(allowed)}, please.")


def move_label(kind: MoveKind) -> str:
    return kind.value.lower().replace("_", " ")


async def ask_field(asked: MoveField, ask: AskDraft, record: AnyRecord) -> object:
    """What somebody types for one field; None where it may be left out and is."""
    match asked.kind:
        case "text":
            return await ask_text(asked.asks, may_lack=asked.may_lack) or None
        case "chance":
            return await ask_chance(asked.asks)
        case "choice":
            word = await ask_choice(asked.asks, asked.choices)
            return BOOLEANS[asked.name](word) if asked.name in BOOLEANS else word
        case "number":
            return int(await ask_choice(asked.asks, [str(n) for n in range(1, SHOWN + 1)]))
        case "agent":
            about = ask.duty.about if ask.duty is not None else None
            if about is not None:
                return about
            others = [s.id for s in record.seats if s.id != ask.agent or asked.name == "falsifier_of"]
            return await ask_choice(asked.asks, others)
        case "message":
            return await ask_message(asked.asks, ask, record)
        case "falsifier":
            if asked.may_lack and await ask_choice("Name what would change your mind?", ("yes", "no")) == "no":
                return None
            return {part.name: await ask_text(part.asks) for part in FALSIFIER}


async def ask_message(asks: str, ask: AskDraft, record: AnyRecord) -> str:
    if ask.duty is not None and ask.duty.message is not None:
        return ask.duty.message
    last = [m for m in debate_in(record).threads[ask.thread].messages if m.agent != ask.agent][-SHOWN:]
    for m in last:
        say(f"{name_of(record, m.agent)}: {cut(clean(m.content), 90)}", f"    {m.id}  ")
    return await ask_choice(asks, [m.id for m in last])


async def ask_probe(ask: AskProbe) -> Values:
    found: Values = {"kind": "probed", "p_top": await ask_chance("How likely is the topic's claim?")}
    if ask.phase is Phase.WORDING:
        found["fixed"] = [await ask_fixed_wording(question) for question in ask.questions]
    else:
        found["credences"] = [await ask_credence(question) for question in ask.questions]
    if ask.phase is Phase.CHANGE:
        found["public_side"] = await ask_choice(
            "Which side of the topic do you take, in public?", [s.value for s in TopSide]
        )
    return found


async def ask_credence(asked: Question) -> list[Any]:
    say(asked.question, "  - ")
    yes = await ask_chance("  How likely is YES?")
    return [asked.id, yes, await ask_chance("  And the topic, if YES?"), await ask_chance("  And the topic, if NO?")]


async def ask_fixed_wording(asked: Question) -> list[Any]:
    say(f"{asked.question} YES: {asked.yes_means} NO: {asked.no_means}", "  - ")
    wording = await ask_chance("  Read just so, how likely is YES?")
    return [asked.id, wording, await ask_chance("  And over the time it names?")]


async def ask_relation(ask: AskRelate) -> Values:
    first, second = (cut(clean(question.question), 60) for question in ask.questions)
    return {
        "kind": "related",
        "second_if_yes": await ask_chance(f"If YES to “{first}”, how likely is YES to “{second}”?"),
        "second_if_no": await ask_chance("And if NO to the first?"),
        "first_if_yes": await ask_chance(f"If YES to “{second}”, how likely is YES to “{first}”?"),
        "first_if_no": await ask_chance("And if NO to the second?"),
        "sketch": await ask_text("How does the first bear on the second?", may_lack=True),
    }


async def ask_turn(ask: AskTurn) -> Values:
    most = f"at most {ask.words} words" + (f", {ask.sentences} sentences" if ask.sentences else "")
    content = await ask_text(f"What do you say? ({most}{'' if ask.owed else '; Enter to pass'})", may_lack=not ask.owed)
    if not content:
        return SILENT
    turn: Values = {"type": ask.type.value, "content": content}
    if ask.answers is not None:
        turn["reply_to"] = ask.answers
    if ask.type is TurnType.CONCESSION:
        turn["concedes"] = await ask_text("Which point of theirs do you grant? (Enter: none)", may_lack=True)
    if ask.type is TurnType.SYNTHESIS:
        turn["next_step"] = await ask_text("What is the next step?")
    rules = ask.type is TurnType.RULING
    asks = "For which side do you rule?" if rules else "Where do you stand on the topic? (Enter: not said)"
    side = await ask_choice(asks, [s.value for s in TopSide], may_lack=not rules)
    return {"kind": "spoken", "turn": {**turn, "side": side} if side else turn}


# ---- lines


async def ask_text(asks: str, *, may_lack: bool = False) -> str:
    while not (given := await read_line(f"  {asks} ")) and not may_lack:
        print("  Something has to stand here.")
    return given


async def ask_chance(asks: str) -> float:
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
            return share
        print("  A number from 0 to 100, please.")


async def ask_choice(asks: str, words: Sequence[str], *, may_lack: bool = False) -> str:
    """One of some words, by its beginning."""
    while True:
        given = (await read_line(f"  {asks} [{'/'.join(words)}] ")).casefold()
        if not given and may_lack:
            return ""
        exact = [word for word in words if word.casefold() == given]
        found = exact or [word for word in words if given and word.casefold().startswith(given)]
        if len(found) == 1:
            return found[0]
        print(f"  One of {', '.join(words)}, please.")
