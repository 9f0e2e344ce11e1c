"""Which script a run begins with."""

from cruxfinder.crux import script
from cruxfinder.crux.events import DebateStarted
from cruxfinder.kernel.effects import Dice, Script
from cruxfinder.kernel.likeness import Likeness
from cruxfinder.kernel.pack import Agenda
from cruxfinder.talk import forum
from cruxfinder.talk.floor import Floor
from cruxfinder.talk.roundtable import roundtable
from cruxfinder.talk.turns import Protocol


def opening_script(started: DebateStarted, dice: Dice, like: Likeness, agenda: Agenda) -> Script:
    match started.protocol:
        case Protocol.CRUX:
            return script.opening(tuple(seat.id for seat in started.seats), dice, like)
        case Protocol.DEBATE:
            return forum.debate(Floor(dice, like, agenda))
        case Protocol.CONSENSUS:
            return forum.consensus(Floor(dice, like, agenda))
        case Protocol.DISCUSSION:
            return forum.discussion(Floor(dice, like, agenda))
        case Protocol.ROUNDTABLE:
            return roundtable(Floor(dice, like, agenda))
