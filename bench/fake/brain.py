"""A brain for the fake provider: it reads a prompt as a model would, knows nothing else, and replies legally."""

import itertools
import json
import re
from collections.abc import Callable
from random import Random
from typing import Final

from bench.fake.talker import asked_for_a_turn, turns

QUOTED: Final = re.compile(r"«([^»]*)»")
SAID: Final = re.compile(r"^(m\d+) (\S+) ([A-Z_]+) «", re.MULTILINE)
STANDS: Final = re.compile(r"^(\S+) (YES|NO|UNCERTAIN) (1?\.\d+|0) «([^»]*)»(?: F(\d))?", re.MULTILINE)
ME: Final = re.compile(r"^You are (\S+?)(?:\.| and )", re.MULTILINE)
ONE: Final = re.compile(r'JSON: \{"move": "([A-Z_]+)"')
FIRST: Final = re.compile(r"JSON: \{p_top 0-1 \([^)]*\), side ")
CANDIDATE: Final = re.compile(r'"([a-z]\w*)": \{')
WORDS: Final = (
    "latency budget deploy team release cost outage queue cache schema owner service ledger index batch shard "
    "contract rollout backlog review pager staging metric payload quota replica region tenant audit window"
).split()
QUESTIONS: Final = (  # what is asked, and what anybody would observe for each answer
    (
        "Does a split service ship changes faster within a year than the single one does today?",
        "The median lead time of its changes, in days, is shorter a year from now.",
        "A year from now its changes take as many days as today, or more.",
    ),
    (
        "Would the teams own their services without a shared on-call rota by next summer?",
        "Each team is paged for its own service alone by next summer.",
        "A rota across teams still takes the pages of some service next summer.",
    ),
    (
        "Is the cost of running twelve services below a tenth of the yearly budget?",
        "The bill of the year for all twelve stays under ten percent of the budget.",
        "The bill of the year comes to ten percent of the budget or more.",
    ),
)


def believer(seed: int = 0, *, characters: int = 245) -> Callable[[str, str], str]:
    """A brain that says something new every time, in texts of about so many characters."""
    counter = itertools.count(1)
    dice = Random(seed)

    def think(system: str, user: str) -> str:
        number = next(counter)
        if asked_for_a_turn(user):
            return turns(user, stance(system), dice)
        return json.dumps(reply(system, user, number, dice, characters))

    return think


def wavering(brain: Callable[[str, str], str], spread: float, seed: int = 0) -> Callable[[str, str], str]:
    """The same brain with private answers that do not add up, as those of models often do not."""
    dice = Random(seed)

    def shaken(given: object) -> object:
        if isinstance(given, dict):
            return {key: shaken(value) for key, value in given.items()}
        if isinstance(given, float):
            return round(min(0.99, max(0.01, given + dice.gauss(0, spread))), 2)
        return given

    def think(system: str, user: str) -> str:
        said = json.loads(brain(system, user))
        return json.dumps(shaken(said) if "p_top" in said and "side" not in said else said)

    return think


def stance(system: str) -> bool:
    """Personas of the tests say whose side they are on."""
    return "in favour" in system


def sentence(number: int, dice: Random, characters: int) -> str:
    words = [f"Point {number}:"]
    while len(" ".join(words)) < characters - 20:
        words.append(dice.choice(WORDS))
    return f"{' '.join(words)} at {dice.randint(2, 90)} percent."


def reply(system: str, user: str, number: int, dice: Random, characters: int) -> dict[str, object]:
    for_it = stance(system)
    if FIRST.search(user):
        return {
            "p_top": 0.8 if for_it else 0.3,
            "side": "YES" if for_it else "NO",
            "reason": sentence(number, dice, 80),
        }
    if "JSON: {p_top 0-1" in user:
        return probed(user, for_it)
    if "JSON: {objection" in user:
        return {"objection": ""}
    if "JSON: {agrees" in user:
        return {"agrees": for_it, "why": "" if for_it else sentence(number, dice, 60)}
    if "JSON: {grade" in user:
        return {"grade": "WRONG", "missing": sentence(number, dice, 60)}
    if "JSON: {second_if_yes" in user:
        return {"second_if_yes": 0.6, "second_if_no": 0.5, "first_if_yes": 0.6, "first_if_no": 0.5}
    content = sentence(number, dice, characters)
    owed = ONE.search(user)
    move = owed[1] if owed is not None else chosen(user, number)
    return {"move": move, "content": content, **fields(move, user, for_it, number, dice)}


def probed(user: str, for_it: bool) -> dict[str, object]:
    """The first question carries the disagreement, and the answers add up."""
    ids = CANDIDATE.findall(user.rpartition("JSON: ")[2])
    yes = 0.85 if for_it else 0.15
    top = round(yes * 0.9 + (1 - yes) * 0.2, 4)
    found: dict[str, object] = {"p_top": top, "objection": "", "public_side": "YES" if for_it else "NO"}
    for n, id in enumerate(ids):
        row = (
            {"yes": yes, "top_if_yes": 0.9, "top_if_no": 0.2}
            if n == 0
            else {"yes": 0.5, "top_if_yes": top, "top_if_no": top}
        )
        found[id] = {**row, "as_worded": row["yes"], "in_its_time": row["yes"]}
    return found


def chosen(user: str, number: int) -> str:
    if "EVIDENCE on the question" in user:
        return "PROVIDE_EVIDENCE"
    asked = user.count("?»")
    if "no yes/no question proposed yet" in user and number % 3 == 0:
        return "PROPOSE_CRUX"
    if asked == 1 and number % 7 == 0:
        return "PROPOSE_CRUX"
    return "CHALLENGE" if opponents(user) and number % 2 else "CLAIM"


def me(user: str) -> str:
    found = ME.search(user)
    return found[1] if found is not None else ""


def opponents(user: str) -> list[str]:
    return [id for id, who, _ in SAID.findall(user) if who not in {me(user), "moderator"}]


def fields(move: str, user: str, for_it: bool, number: int, dice: Random) -> dict[str, object]:
    side = "YES" if for_it else "NO"
    short = sentence(number, dice, 90)
    match move:
        case "CLAIM":
            return {"proposition": short, "reason": sentence(number + 1, dice, 80), "confidence": 0.8, "top_side": side}
        case "CHALLENGE":
            return {"target": opponents(user)[-1], "disputes": short, "why": sentence(number + 1, dice, 80)}
        case "PROPOSE_CRUX":
            question, yes, no = QUESTIONS[min(user.count("?»"), 2)]
            return {"question": question, "yes_means": yes, "no_means": no}
        case "COMMIT_POSITION":
            falsifier = {
                "metric": "median lead time of a change in days",
                "threshold": f"{'above' if for_it else 'below'} {dice.randint(2, 9)} days",
                "deadline": "by 2027-06-30",
            }
            held = "Splitting ships faster" if for_it else "Splitting ships slower"
            return {
                "side": side,
                "statement": f"{held} for the {dice.choice(WORDS)} {dice.choice(WORDS)} work.",
                "reason": f"The {dice.choice(WORDS)} {dice.choice(WORDS)} waits on one release train.",
                "confidence": 0.8,
                "horizon": "12-18mo",
                "falsifier": falsifier,
            }
        case "STEELMAN":
            texts = QUOTED.findall(user.rpartition("You owe:")[2])
            return {"claim": texts[0], "reason": texts[1], "falsifier": texts[2] if len(texts) > 2 else ""}
        case "GRADE_STEELMAN":
            return {"grade": "ACCURATE", "missing": ""}
        case "PROVIDE_EVIDENCE":
            tested = [who for who, _, _, _, f in STANDS.findall(user) if f] or [me(user)]
            about = tested[number % len(tested)]
            return {
                "evidence": short,
                "source": f"incident report {number}",
                "falsifier_of": about,
                "number": 1,
                "direction": "FOR" if number % 2 else "AGAINST",
            }
        case "DECLARE_FALSIFIER":
            return {
                "falsifier": {"metric": "lead time in days", "threshold": "above 5 days", "deadline": "by 2027-06-30"}
            }
        case _:
            return {"target": (opponents(user) or ["m1"])[-1], "asks": True}
