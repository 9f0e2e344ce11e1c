"""The editor's checklist: what must hold of a conversation, each line with its figure, computed from the log."""

from collections.abc import Sequence
from dataclasses import dataclass

from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.language import dyads
from cruxfinder.language.counts import count_phrase
from cruxfinder.talk.decide import limits_of, talk_of
from cruxfinder.talk.events import TalkEvent, TurnSpoken
from cruxfinder.talk.evolve import evolve, fold
from cruxfinder.talk.law import acts, compression, pivots, turn_order, volleys
from cruxfinder.talk.state import Conversation
from cruxfinder.talk.turns import ROUNDTABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistItem:
    line: str
    holds: bool
    figure: str


def checklist(events: Sequence[TalkEvent], debate: Conversation) -> tuple[ChecklistItem, ...]:
    """`debate` is what the events come to."""
    talk, limits = talk_of(debate), limits_of(debate)
    interval = limits.synthesis_interval
    tagged = sum(bool(turn.entailments) for turn in talk.speaker_turns)
    missed = acts.missed_syntheses(talk, limits)
    due = len(acts.synthesis_turns(talk, limits))
    bare = pivots.acts_without_substance(talk, limits)
    density = compression.compression(talk)
    checks = [
        rounds_between_two(events, debate),
        ChecklistItem(
            line="Every turn adds an entailment",
            holds=tagged == len(talk.speaker_turns),
            figure=f"{tagged} of {len(talk.speaker_turns)}",
        ),
        ChecklistItem(
            line=f"Every {interval} turns a synthesis and a next step",
            holds=not missed,
            figure=f"{due - len(missed)} of {due}" if due else count_phrase(len(talk.turns), "turn"),
        ),
    ]
    if debate.started.protocol == ROUNDTABLE:
        whole = due - len(bare)
        figure = f"{whole} of {count_phrase(due, 'act')}" if due else "no whole act"
        checks.append(ChecklistItem(line="A dilemma or an anchor in every act", holds=not bare, figure=figure))
    checks += [
        ChecklistItem(
            line=f"At most {limits.max_total_turns} turns",
            holds=len(talk.turns) <= limits.max_total_turns,
            figure=str(len(talk.turns)),
        ),
        ChecklistItem(
            line=f"Distinct content words at least {compression.LEAST:.2f} of all",
            holds=density >= compression.LEAST,
            figure=f"{density:.2f}",
        ),
    ]
    return tuple(checks)


def rounds_between_two(events: Sequence[TalkEvent], debate: Conversation) -> ChecklistItem:
    """Two to whom all others are lost may go on; the rounds they had before that count."""
    talk, most = talk_of(debate), limits_of(debate).dyad_max_volleys
    line = f"No two speakers exceed {count_phrase(most, 'round')} between them"
    if len(turn_order.speakers(debate.seats)) <= dyads.PAIR:
        return ChecklistItem(line=line, holds=True, figure="only two speak")
    company = turns_in_company(events, debate)
    rounds = volleys.longest_volley(talk, company)
    since = "" if len(company) == len(talk.turns) else " while others could speak"
    return ChecklistItem(line=line, holds=rounds <= most, figure=f"{rounds:g} at most{since}")


def turns_in_company(events: Sequence[TalkEvent], debate: Conversation) -> tuple[int, ...]:
    """The numbers of the turns at which more than two could speak."""
    if not any(isinstance(event, AskFailed) for event in events):  # nobody was ever lost
        return tuple(turn.number for turn in talk_of(debate).turns)
    found: list[int] = []
    so_far = fold(events[:1])
    for event in events[1:]:
        if isinstance(event, TurnSpoken) and len(turn_order.present_speakers(so_far)) > dyads.PAIR:
            found.append(len(talk_of(so_far).turns) + 1)
        so_far = evolve(so_far, event)
    return tuple(found)
