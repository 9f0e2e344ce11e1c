"""The editor's checklist: what must hold of a conversation, each line with its figure, computed from the log."""

from dataclasses import dataclass

from cruxfinder.debate.speaking import limits_of, talk_of
from cruxfinder.model.record import Debate
from cruxfinder.model.turns import Protocol
from cruxfinder.rules import acts, compression, dyads, pivots, turn_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    line: str
    holds: bool
    figure: str


def checklist(debate: Debate) -> tuple[Check, ...]:
    talk, limits = talk_of(debate), limits_of(debate)
    interval = limits.synthesis_interval
    rounds = dyads.longest(talk)
    two = len(turn_order.speakers(debate.seats)) == 2
    tagged = sum(bool(turn.entailments) for turn in talk.said)
    missed = acts.missed(talk, limits)
    due = len(acts.due(talk, limits))
    bare = pivots.acts_without_substance(talk, limits)
    density = compression.compression(talk)
    checks = [
        Check(
            line=f"No two speakers exceed {limits.dyad_max_volleys} rounds between them",
            holds=two or rounds <= limits.dyad_max_volleys,
            figure="only two speak" if two else f"{rounds:g} at most",
        ),
        Check(
            line="Every turn adds an entailment",
            holds=tagged == len(talk.said),
            figure=f"{tagged} of {len(talk.said)}",
        ),
        Check(
            line=f"Every {interval} turns a synthesis and a next step",
            holds=not missed,
            figure=f"{due - len(missed)} of {due}" if due else f"{len(talk.turns)} turns",
        ),
    ]
    if debate.started.protocol is Protocol.ROUNDTABLE:
        whole = due - len(bare)
        figure = f"{whole} of {due} acts" if due else "no whole act"
        checks.append(Check(line="A dilemma or an anchor in every act", holds=not bare, figure=figure))
    checks += [
        Check(
            line=f"At most {limits.max_total_turns} turns",
            holds=len(talk.turns) <= limits.max_total_turns,
            figure=str(len(talk.turns)),
        ),
        Check(
            line=f"Distinct content words at least {compression.LEAST:.2f} of all",
            holds=density >= compression.LEAST,
            figure=f"{density:.2f}",
        ),
    ]
    return tuple(checks)
