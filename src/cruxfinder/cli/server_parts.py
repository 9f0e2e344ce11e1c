"""What a server of this command line is made of: its gate, its store, its models."""

import logging
import sys

from cruxfinder.app.model_request import NOTHING_SAID, ModelRequest
from cruxfinder.app.model_settings import with_model_settings
from cruxfinder.app.server_setup import Setup
from cruxfinder.cli import configured_models
from cruxfinder.cli.gate_assembly import build_gate
from cruxfinder.cli.gate_flags import GateFiles, GateModelFlags
from cruxfinder.gate.runtime.gate import Gate
from cruxfinder.ports import Store


def configured_model(flags: GateModelFlags) -> ModelRequest:
    """The model that is configured, if there is one and it may think; one that cannot be used is told."""
    said = flags.config
    wished = NOTHING_SAID if said is None else with_model_settings(said)
    if wished.model:
        configured_models.check_usable(wished)
    return wished


def gate_of(files: GateFiles) -> Gate:
    """The gate, and from here on warnings in our own form: the libraries would bring one of theirs."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="crux: %(message)s")
    return build_gate(files.memory, files.rules, files.off)


def setup_of(gate: Gate, store: Store, wished: ModelRequest, *, house: bool) -> Setup:
    store.rows()  # a store that is none is told before anybody calls
    return Setup(gate=gate, store=store, wished=wished, house=house)


def tell(line: str) -> None:
    print(f"crux: {line}", file=sys.stderr, flush=True)
