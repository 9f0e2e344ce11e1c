"""The recorder of a decision in a debate for its crux."""

from cruxfinder.crux.events import Event
from cruxfinder.crux.state import Debate
from cruxfinder.kernel.recorder import DecisionRecorder

Recorder = DecisionRecorder[Debate, Event]
