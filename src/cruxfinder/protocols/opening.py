"""Which script a run begins with."""

from cruxfinder.model.events import DebateStarted
from cruxfinder.model.likeness import Likeness
from cruxfinder.model.pack import Agenda
from cruxfinder.model.turns import Protocol
from cruxfinder.protocols import crux, forum
from cruxfinder.protocols.effects import Dice, Script
from cruxfinder.protocols.floor import Floor
from cruxfinder.protocols.roundtable import roundtable


def opening(started: DebateStarted, dice: Dice, like: Likeness, agenda: Agenda) -> Script:
    match started.protocol:
        case Protocol.CRUX:
            return crux.opening(tuple(seat.id for seat in started.seats), dice, like)
        case Protocol.DEBATE:
            return forum.debate(Floor(dice, like, agenda))
        case Protocol.CONSENSUS:
            return forum.consensus(Floor(dice, like, agenda))
        case Protocol.DISCUSSION:
            return forum.discussion(Floor(dice, like, agenda))
        case Protocol.ROUNDTABLE:
            return roundtable(Floor(dice, like, agenda))
