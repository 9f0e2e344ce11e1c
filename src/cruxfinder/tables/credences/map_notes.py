"""What should keep a reader from trusting the figures of a credence map too far, a sentence each."""

from collections.abc import Iterator, Mapping
from typing import Final

from cruxfinder.crux.law import probes
from cruxfinder.crux.law.probes import Camps, ProbeReading
from cruxfinder.kernel.vocabulary import AgentId, Verdict
from cruxfinder.language.counts import count_phrase, percent
from cruxfinder.tables.credences.credence_answers import SurveyAnswers
from cruxfinder.tables.credences.joint_share import JointShare
from cruxfinder.tables.credences.topic_repeats import is_answered_as_topic

Readings = Mapping[AgentId, ProbeReading]
WIDE: Final = 0.15  # between the least and the most that one person told of one thing


def answer_notes(answers: SurveyAnswers, given: Readings, camps: Camps, noise: float | None) -> Iterator[str]:
    """About the people and what they told."""
    yield from camp_notes(given, camps)
    yield from noise_notes(answers, noise)
    if not answers.topic:
        why = "so a proposition that only asks it again is not noticed: say it with --topic"
        yield f"the table does not say its topic, {why}"
    for asked in answers.asked:
        if is_answered_as_topic(given, asked.id):
            yield f'"{asked.text}" is answered as the topic is: it may be the topic in other words'


def verdict_notes(reached: Verdict, joint: JointShare | None) -> Iterator[str]:
    """About what the verdict leaves open."""
    if reached in (Verdict.VALUES, Verdict.SEVERAL_FACTS) and joint is not None and len(joint.facts) > 1:
        yield joint_note(joint)
    if reached in (Verdict.CRUX, Verdict.PARTIAL):
        yield "a table cannot tell whether both camps read the question alike: ask again with wording and time fixed"


def camp_notes(given: Readings, camps: Camps) -> Iterator[str]:
    if not camps.has_both_sides:
        return
    if camps.cut != probes.HALF:
        told = f"the camps are parted at {shown_chance(camps.cut)}, where the answers fall into two groups, not at 50%"
        yield f"{told}: YES is who holds the topic likelier than that"
    for name, camp in (("YES", camps.yes), ("NO", camps.no)):
        if len(camp) == 1 and len(given) > 2:
            yield f"the {name} camp is {camp[0]} alone: its means are one person's answers"


def noise_notes(answers: SurveyAnswers, noise: float | None) -> Iterator[str]:
    for agent, told in answers.stated_tops.items():
        low, high = min(told.values()), max(told.values())
        if high - low >= WIDE:
            yield f"{agent} gives the topic {percent(low)} here and {percent(high)} there; the mean is taken"
    if noise is None:
        yield "nothing shows how noisy the answers are: every chance was told once, and one follows from the rest"
    elif noise > probes.NOISY_ABOVE:
        why = f"the answers contradict each other by about {noise:.2f} each, more than {probes.NOISY_ABOVE}"
        yield f"{why}: ask everybody again and average"


def joint_note(joint: JointShare) -> str:
    told = f"{count_phrase(len(joint.facts), 'proposition')} together explain {percent(joint.share)} of the gap"
    if joint.counted_once:
        told += f", not counting {len(joint.counted_once)} whose credences rise and fall with theirs"
    if joint.unknown_pairs:
        return f"{told}, if they do not bear on each other: too few answered to tell"
    return f"{told}, as far as their credences show that they do not bear on each other"


def shown_chance(chance: float) -> str:
    return percent(chance) if chance >= 0.01 else f"{chance:.1%}"
