"""What was staked in the runs of a store: the pages of the ledger."""

from datetime import datetime

from cruxfinder.app import stored_runs
from cruxfinder.crux.ledger import LedgerPage, Stake, stakes
from cruxfinder.crux.state import Debate
from cruxfinder.errors import CruxfinderError, ForeignStore
from cruxfinder.kernel.journal import log_faults
from cruxfinder.ports import RunRow, Store
from cruxfinder.protocols.registry import fold


def stakes_in_store(store: Store, on: str) -> tuple[tuple[Stake, ...], dict[str, CruxfinderError]]:
    """What was staked in every run; a log that cannot be read hides no other."""
    held: list[Stake] = []
    faults: dict[str, CruxfinderError] = {}
    for row in store.rows():
        try:
            held += stakes_in_run(store, row, on)
        except CruxfinderError as fault:
            faults[row.id] = fault
    return tuple(held), faults


def stakes_in_run(store: Store, row: RunRow, on: str) -> tuple[Stake, ...]:
    events = stored_runs.events_of(stored_runs.load_log(row.id, store))
    if not events:
        return ()
    page, outcomes = LedgerPage(run=row.id, made=creation_date(row), on=on), store.outcomes(row.id)
    with log_faults(f"the events of run {row.id}:"):
        state = fold(events)
        return stakes(state, page, outcomes) if isinstance(state, Debate) else ()  # only cruxes are staked on


def creation_date(row: RunRow) -> str:
    """The day of a run where its reader is, as today is."""
    try:
        return datetime.fromisoformat(row.created).astimezone().date().isoformat()
    except ValueError:
        raise ForeignStore(f"run {row.id} was not made at {row.created!r}: no Cruxfinder wrote that") from None
