"""How turns of a conversation are worded. Whatever is put down to somebody by name is something they have said."""

from typing import Final

from cruxfinder.kernel.vocabulary import TopSide

# ---- one's own case

CLAIM_LAST: Final = ("{Stance}. {claim}", "I start from this: {stance}. {claim}")
STOOD: Final = (*CLAIM_LAST, "{claim} So {stance}.", "{claim} That is why I hold that {stance}.")
STOOD_TOO: Final = (  # somebody has drawn the conclusion; the ground for it is new
    "As to whether {stance}: {claim_}",
    "{claim} In a word, {own}.",
)
PLAIN_REASON: Final = "{Reason}."  # of whoever has no lines of its own
CHANGED: Final = (
    "I have changed my mind: I now hold that {stance}. {Reason}.",
    "What I have heard here has moved me, and I now hold that {stance}. {Reason}.",
)
ANSWERED: Final = (
    "My answer is {yes}. {claim} So {stance}.",
    "I say {yes}: {stance}. {claim}",
)
ANSWERED_TOO: Final = ("My answer is {yes}. {claim}", "I say {yes}. {claim} In a word, {own}.")
TOPICAL: Final = {
    TopSide.YES: ("I hold that {topic}.", "My view is that {topic}."),
    TopSide.NO: ("I am against the claim that {topic}.", "I do not think that {topic}."),
    TopSide.NUANCED: ("I am undecided whether {topic}.", "For me it is open whether {topic}."),
}
POSITIONED: Final = (
    "It counts with me that {second}. Above all, {stance}. {claim}",
    "I hold that {second}, and above all this: {stance}. {claim}",
)

# ---- answers

CHALLENGED: Final = (
    "{name}, you hold that {theirs}. {challenge}",
    "To {name}, who says that {theirs}: {challenge_}",
    "When {name} says that {theirs}, here is my answer. {challenge}",
)
CHALLENGED_AND_STOOD: Final = (
    "{name}, {challenge_} So {stance}.",
    "{challenge} Until {name} has met that, I hold that {stance}.",
)
CHALLENGED_ANYBODY: Final = (
    "To anybody who thinks that {theirs} I would say: {challenge_}",
    "Should somebody hold that {theirs}, here is my answer. {challenge}",
)
COUNTERED: Final = (
    "{name} leans on {source}. {why} So it does not show that {theirs}.",
    "Against {name} and {source}: {why} Unless that is answered, it leaves open whether {theirs}.",
    "To show that {theirs}, {name} brought up {source}. {why}",
)
SHOWN: Final = (
    "Look at {source}. {text} I take that as a sign that {stance}.",
    "From {source}: {text} That is why I hold that {stance}.",
    "{text} That comes from {source}. So {stance}.",
)
SHOWN_TOO: Final = (
    "As to whether {stance}, look at {source}. {text}",
    "Here is evidence on whether {stance}, from {source}: {text}",
)
SHOWN_AGAINST: Final = (
    "{name} holds that {theirs}. Against that I set {source}: {text}",
    "{name} says that {theirs}. But look at {source}: {text}",
    "If {name} is right that {theirs}, how does that go with {source}? {text}",
)
TESTED: Final = (
    "I can say what would prove me wrong when I hold that {stance}. {Metric}: {threshold}, {deadline}.",
    "Here is a test of whether {stance}. {Metric}: {threshold}, {deadline}. If that comes about, I was wrong.",
    "If this were found, I would give up that {stance}. {Metric}: {threshold}, {deadline}.",
)
LINKED: Final = (
    "If it is true that {stance}, then it is the more likely that {other}.",
    "Grant that {stance}, and it becomes more likely that {other}.",
)
WEIGHED: Final = (
    "If it turned out that {theirs}, then it would be {less} likely that {topic}, as I see it.",
    "Much hangs on whether {stance}: were it the case that {theirs}, I would find it {less} likely that {topic}.",
)

# ---- reactions

DISAGREED: Final = (
    "Not so fast, {name}: {reason}.",
    "That leaves something out, {name}: {reason}.",
    "But {reason}, {name}.",
    "Against that, {name}, stands one thing: {reason}.",
)
JOINED: Final = (
    "A further reason, {name}: {reason}.",
    "{name} could add that {reason}.",
    "Besides, {name}, {reason}.",
    "There is more to it, {name}: {reason}.",
)
SAID_YES_OR_NO: Final = ("My answer is {yes}: {reason}.", "I say {yes}, because {reason}.")
REASONED: Final = ("{Reason}. So {stance}.", "{Reason}. That is why I hold that {stance}.")

# ---- passages and cases, in one sentence each

BORNE_OUT_BY: Final = (
    "The passage fits in with this: {rest}.",
    "Such a finding is no surprise, because {rest}.",
    "That is what one would find if {rest}.",
)
BORNE_AGAINST: Final = (
    "The passage does not show that {theirs}: {why_}",
    "The passage carries less than it seems to: {why_}",
)
CONCEDED_TO: Final = (
    "The passage has to be weighed against this: {rest}.",
    "But {rest}, and the passage does not change that.",
    "One thing stands against the passage: {rest}.",
    "Beside the passage one has to set that {rest}.",
)
HARD_TO_MEET: Final = (
    "If the passage is right, it becomes less likely that {stance}.",
    "That is hard to explain for anybody who holds that {stance}.",
)
UNTOUCHED: Final = (  # nobody has said which way the passage points
    "The passage touches my case only if it shows that {theirs}, and I doubt that because {reason}.",
    "If the passage is meant to show that {theirs}, then it leaves out that {reason}.",
    "It would take more than this passage to show that {theirs}, since {reason}.",
    "Whatever the passage shows, {reason}, and so it does not settle whether {stance}.",
)
UNTOUCHED_BRIEFLY: Final = (
    "I would change my mind only if the passage showed that {theirs}, and it does not.",
    "The passage leaves my case as it was unless somebody draws from it that {theirs}.",
)
DECIDED: Final = ("{Own}, and so {verdict}.", "{Own}; therefore {verdict}.")
DECIDED_TOO: Final = (
    "My verdict is that of {name}, and I come to it because {rest}.",
    "With {name} I say that {verdict}, and my ground is that {rest}.",
)

# ---- towards an agreement

EXPLORED: Final = (
    "{name} may be right that {theirs}. What I conclude would still stand, because {rest}.",
    "Suppose with {name} that {theirs}. Even then it counts on the other side that {rest}.",
    "I could build on what {name} says, that {theirs}, if it did not leave this out: {rest}.",
    "Let it be granted to {name} that {theirs}. Then what is left to settle is something else, for {rest}.",
)
SHARED: Final = (
    "{name} and I both hold that {stance}. So the dispute has to turn on something else: {rest}.",
    "{name} and I both hold that {stance}. But it counts as well that {rest}.",
)
GRANTED: Final = (
    "For an agreement I grant {name} that {theirs}. My conclusion does not depend on it, since {ground}.",
    "I give up my own view here and grant {name} that {theirs}. It carried little for me, because {ground}.",
)
LEFT_OPEN: Final = (
    "I will not insist that {stance}. My conclusion does not hang on it, since {ground}.",
    "For an agreement I give up insisting that {stance}. What I conclude has another ground: {ground}.",
)
KEPT: Final = (
    "I give up nothing here, since everything I conclude depends on this: {ground}.",
    "There is nothing I could drop, because {ground}.",
    "{Ground}, and without that my whole case would fall.",
)

# ---- drafts that say nothing new, which the rules send back

AGREED: Final = (
    "{name} is right that {stance}, and I see it the same way.",
    "I can only agree with {name} here: {stance}.",
)
INSISTED: Final = ("I stay with my view that {stance}.", "My view has not changed: {stance}.")
