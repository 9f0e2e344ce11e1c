"""The devil's advocate: argues against what was claimed, from the public record alone, and has no beliefs to probe."""

from cruxfinder.debaters.speech import bare, lower
from cruxfinder.model.asks import Answer, Ask, AskDraft, Drafted, Silence
from cruxfinder.model.moves import Challenge, Claim, Draft
from cruxfinder.model.record import Debate, name_of

OPENINGS = (
    "Somebody has to say it, {name}: suppose it is not so that {claim}. What would the world look like, and does it not look like that?",
    "For argument's sake, {name}, the other side: the reason you give would stand just as well if it were false that {claim}.",
    "Nobody has asked {name} for the price of being wrong that {claim}. I ask.",
)


class Advocate:
    paid = False

    async def answer(self, ask: Ask, record: Debate) -> Answer:
        if not isinstance(ask, AskDraft):
            return Silence()
        thread = record.threads[ask.thread]
        said = sum(m.agent == ask.agent for m in thread.messages)
        open_claims = [m for m in thread.claims if m.id not in thread.challenged and isinstance(m.move, Claim)]
        if said >= len(OPENINGS) or not open_claims:
            return Silence()
        boldest = max(open_claims, key=lambda m: m.move.confidence if isinstance(m.move, Claim) else 0.0)
        assert isinstance(boldest.move, Claim)
        claim = boldest.move.proposition
        content = OPENINGS[said].format(name=name_of(record, boldest.agent), claim=lower(bare(claim)))
        why = "the same reason would be given if it were false"
        move = Challenge(target=boldest.id, disputes=claim, why=why)
        return Drafted(draft=Draft(move=move, content=content, reply_to=boldest.id))
