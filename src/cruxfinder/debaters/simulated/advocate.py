"""The devil's advocate: argues against what was claimed, from the public record alone, and has no beliefs to probe."""

from typing import Final

from cruxfinder.crux.asks import AskDraft, Drafted
from cruxfinder.crux.moves import Challenge, Claim, Draft
from cruxfinder.debaters.simulated.speech import without_stop
from cruxfinder.kernel.run_facts import Silence, name_of
from cruxfinder.protocols.any_ask import AnyAnswer, AnyAsk, AnyRecord, debate_in

OPENINGS: Final = (
    'Somebody has to say it, {name}. "{claim}": suppose that is false. What would we see, and do we not see it?',
    'For argument\'s sake, {name}: the reason you give would stand just as well if "{claim}" were false.',
    'Nobody has asked {name} for the price of being wrong about this: "{claim}". I ask.',
)


class Advocate:
    is_paid = False

    async def answer(self, ask: AnyAsk, record: AnyRecord) -> AnyAnswer:
        if not isinstance(ask, AskDraft):
            return Silence()
        thread = debate_in(record).threads[ask.thread]
        said = sum(m.agent == ask.agent for m in thread.messages)
        open_claims = [m for m in thread.claims if m.id not in thread.challenged and isinstance(m.move, Claim)]
        if said >= len(OPENINGS) or not open_claims:
            return Silence()
        boldest = max(open_claims, key=lambda m: m.move.confidence if isinstance(m.move, Claim) else 0.0)
        assert isinstance(boldest.move, Claim)
        claim = boldest.move.proposition
        content = OPENINGS[said].format(name=name_of(record, boldest.agent), claim=without_stop(claim))
        why = "the same reason would be given if it were false"
        move = Challenge(target=boldest.id, disputes=claim, why=why)
        return Drafted(draft=Draft(move=move, content=content, reply_to=boldest.id))
