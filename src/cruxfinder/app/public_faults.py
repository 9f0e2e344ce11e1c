"""What a caller elsewhere may know of a fault: one sentence, without the paths of this machine."""

import logging
from typing import Final

from cruxfinder.errors import BudgetSpent, CruxfinderError, DebaterFault, RunTaken, StaleWriter, StoreFault

LOG: Final = logging.getLogger(__name__)
HIDDEN: Final = "the server cannot read or write what it keeps; its own log says why"
SENTENCE_MAX: Final = 1_000


def public_message(error: CruxfinderError) -> str:
    match error:
        case StaleWriter() | RunTaken():
            return str(error)[:SENTENCE_MAX]
        case StoreFault():
            LOG.warning("%s", error)
            return HIDDEN
        case DebaterFault():
            reason = "budget" if isinstance(error, BudgetSpent) else "model"
            return f"it could not be decided ({reason}): {error}"[:SENTENCE_MAX]
        case _:
            return str(error)[:SENTENCE_MAX]
