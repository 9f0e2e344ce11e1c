"""A brain for the fake provider that can also cast a debate: people for a topic, and claims out of memos."""

import json
from typing import Final

from bench.fake.brain import QUOTED, believer
from bench.fake.server import Brain

PEOPLE: Final = (("Ada", "YES"), ("Bo", "NO"), ("Cy", "NO"), ("Di", "YES"))


COUNTERED = {"counter": "Run terraform plan -out FILE and read it first", "severity": "medium"}


def caster() -> Brain:
    """Draws up people, reads memos and speaks before the gate when asked to; debates otherwise."""
    debates = believer(1)

    def think(system: str, user: str) -> str:
        if "Draw up" in user:
            return json.dumps({"personas": [drawn(name, stance) for name, stance in PEOPLE]})
        if "You are the advocate." in system:
            return json.dumps({"claim": "It was tried on staging.", "supports": [], "confidence": 0.7})
        if "You are the critic." in system:
            return json.dumps({"objection": "It replaces the database.", "risks": [], **COUNTERED})
        if '"claims": [' in user:
            return json.dumps(portrait(QUOTED.findall(user)))
        return debates(system, user)

    return think


def drawn(name: str, stance: str) -> dict[str, object]:
    brief = f"{name} is {'in favour' if stance == 'YES' else 'against it'}."
    return {"name": name, "role": "engineer", "stance": stance, "brief": brief, "interests": ["cost", "speed"]}


def portrait(texts: list[str]) -> dict[str, object]:
    """Claims that rest on the sentences of a memo, word for word."""
    said = [sentence.strip() for text in texts[1:] for sentence in text.split(".") if len(sentence) > 20]
    return {"name": "", "role": "engineer", "claims": [{"claim": f"{s}.", "quote": s} for s in said[:3]]}
