"""What a turn is asked for, in a sentence: debaters that think with a model read it, the others go by type and part."""

from typing import Final

from cruxfinder.talk.turns import TurnType

PROPOSE: Final = "Put your case on the topic: your strongest argument and what follows from it."
REBUT: Final = "Answer the strongest point of the other side: name it, say why it fails, and what follows from that."
COUNTER: Final = "Your last word: answer what was said against your case, and add what has not been said yet."
REMARK: Final = "Say in one or two sentences what this round came to and what is still unanswered. Take no side."
RULE: Final = (
    "Rule on the topic from what was said here alone: which side carried it (side YES, NO or NUANCED), on which point, "
    "and what was left unanswered."
)
STAND: Final = "State where you stand on the topic and the one reason that carries most for you."
EXPLORE: Final = "Take up somebody else's position: what in it could you build on, and what would have to be true?"
CONCEDE: Final = (
    "Say which point of the others you grant for an agreement, in concedes; leave concedes empty if there is none, and "
    "say why not."
)
MERGE: Final = (
    "Write the position this group could hold together: what all accept, and what was conceded. Do not claim "
    "agreement that is not there. next_step: what would settle the rest."
)
POSE: Final = "Put the next question to the table, in one or two sentences, open to both sides."
REACT: Final = "React to what was just said: agree only if you can say what follows, else say where it fails."
OPEN: Final = "Open the conversation: name the tension and ask one question that somebody here must answer."
GO_ON: Final = "Take it further: a consequence, a case, an exception or a test that nobody has named."
LEAD_BACK: Final = "The last turns left the topic. Lead back to it in a sentence, with a question."
PRESENT: Final = "Put this before the table in your own words and ask each for one sentence with a consequence."
CASE: Final = "One sentence: what should be done here, and what follows from it for the topic?"
PASSAGE: Final = "One sentence: what does this passage change or show for the topic, if it is right?"
PIVOT: Final = "The same ground has been covered twice. Turn to this, and ask for a consequence or a test."
SYNTHESIS: Final = "Sum up in at most three sentences: what advanced, and one thing that follows. Give the next step."
CLOSING: Final = (
    "Close the conversation in at most three sentences: what was established, what stays open. Give the next step."
)


# ---- what a turn tells beside its words, so that a rule knows it

TAKES_SIDE: Final = frozenset({TurnType.RULING, TurnType.POSITION, TurnType.CONCESSION})


def extra_fields(type: TurnType, task: str = "") -> tuple[str, ...]:
    """The fields of a turn that whoever takes it is asked for."""
    return (
        *(("side",) if type in TAKES_SIDE or task == MERGE else ()),
        *(("concedes",) if type is TurnType.CONCESSION else ()),
        *(("next_step",) if type is TurnType.SYNTHESIS else ()),
    )
