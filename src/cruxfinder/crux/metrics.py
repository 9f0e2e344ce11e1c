"""What the rules did, as counts over the log: END-3. Nothing is counted on the side."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cruxfinder.crux import events
from cruxfinder.crux.law import attention, horizons
from cruxfinder.crux.moves import Steelman
from cruxfinder.kernel.ranges import Count, Share
from cruxfinder.kernel.run_facts import AskFailed
from cruxfinder.kernel.vocabulary import Grade, Label
from cruxfinder.ports import NOTHING, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    messages_blocked: Count
    reasons_blocked: dict[str, Count]
    messages_held: Count
    messages_dropped: Count
    falsifiers_refused: Count
    crux_lock_attempts: Count
    crux_lock_successes: Count
    crux_lock_failures: Count
    failure_reasons: dict[str, Count]
    steelman_attempts: Count
    steelman_retries: Count
    steelman_accuracy_rate: Share  # of first attempts
    steelmans_contested: Count
    dcg_promotions: Count
    horizon_mismatches: Count
    horizon_alignments: Count
    horizon_splits: Count
    threads_proposed: Count
    threads_opened: Count
    threads_merged: Count
    threads_stale: Count
    replies: Count
    replies_well_aimed: float  # the share that answered a message scored 0.7 or more
    interventions: dict[str, Count]
    concessions: Count
    cheap_concessions: Count
    changes: dict[str, Count]
    objections: Count
    agents_excused: Count
    ask_failures: Count
    steelmans_planted: Count
    steelmans_planted_caught: Count
    calls: Count
    tokens: Count
    tokens_in: Count
    tokens_out: Count
    calls_unpriced: Count  # to models whose price is not known: they are not in the cost


def metrics_of(happened: Iterable[events.Event], usage: Usage = NOTHING) -> Metrics:
    log = tuple(happened)
    refused = [e for e in log if isinstance(e, events.MessageRefused)]
    failed = [e for e in log if isinstance(e, events.LockFailed)]
    won = sum(isinstance(e, events.LockSucceeded) for e in log)
    tries = [e for e in log if isinstance(e, events.SteelmanAttempt)]
    grades = [e for e in log if isinstance(e, events.SteelmanGraded)]
    firsts = {e.message for e in tries if e.attempt == 1}
    first_grades = list({e.steelman: e.grade for e in reversed(grades) if e.steelman in firsts}.values())
    stepped = [e for e in log if isinstance(e, events.ModeratorIntervention)]
    aims = [e.attention for e in log if isinstance(e, events.MessagePosted) and e.attention is not None]
    conceded = [e for e in log if isinstance(e, events.Conceded)]
    changes = [e for e in log if isinstance(e, events.PositionUpdated)]
    return Metrics(
        messages_blocked=sum(e.outcome != "held" for e in refused),
        reasons_blocked=count(rule for e in refused if e.outcome != "held" for rule in {r.rule for r in e.refusals}),
        messages_held=sum(e.outcome == "held" for e in refused),
        messages_dropped=sum(e.outcome == "dropped" for e in refused),
        falsifiers_refused=sum(any(r.rule.startswith("FALS") for r in e.refusals) for e in refused),
        crux_lock_attempts=won + len(failed),
        crux_lock_successes=won,
        crux_lock_failures=len(failed),
        failure_reasons=count(m.rule for e in failed for m in e.missing),
        steelman_attempts=len(tries),
        steelman_retries=sum(e.attempt > 1 for e in tries),
        steelman_accuracy_rate=round(share(sum(g is Grade.ACCURATE for g in first_grades), len(first_grades)), 4),
        steelmans_contested=count_contested(log, grades),
        dcg_promotions=sum(isinstance(e, events.CruxPromoted) for e in log),
        horizon_mismatches=sum(e.cause == horizons.ALIGN for e in stepped),
        horizon_alignments=sum(e.horizon is not None and not e.keeps for e in stepped),
        horizon_splits=sum(bool(e.keeps) for e in stepped),
        threads_proposed=len({e.proposal for e in log if isinstance(e, events.ThreadProposed)}),
        threads_opened=sum(isinstance(e, events.ThreadCreated) for e in log),
        threads_merged=sum(isinstance(e, events.ThreadMerged) for e in log),
        threads_stale=sum(isinstance(e, events.ThreadStale) and e.ended for e in log),
        replies=len(aims),
        replies_well_aimed=round(attention.well_aimed_share(aims), 4),
        interventions=count(e.cause for e in stepped),
        concessions=len(conceded),
        cheap_concessions=sum(e.cheap for e in conceded),
        changes={label.value: sum(e.label is label for e in changes) for label in Label},
        objections=sum(isinstance(e, events.CruxChallenged) for e in log),
        agents_excused=sum(isinstance(e, events.AgentSilent) for e in log),
        ask_failures=sum(isinstance(e, AskFailed) for e in log),
        steelmans_planted=sum(isinstance(e, events.GradingTested) for e in log),
        steelmans_planted_caught=sum(isinstance(e, events.GradingTested) and e.is_caught for e in log),
        calls=usage.calls,
        tokens=usage.tokens,
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        calls_unpriced=usage.unpriced,
    )


def count_contested(log: tuple[events.Event, ...], grades: list[events.SteelmanGraded]) -> int:
    """Grades given by somebody other than the target."""
    targets = {e.id: e.move.target for e in log if isinstance(e, events.MessagePosted) and isinstance(e.move, Steelman)}
    return sum(e.by != targets[e.steelman] for e in grades)


def count(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(str(v) for v in values).items()))


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
