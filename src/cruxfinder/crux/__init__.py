"""The debate for its crux: moves, events, state, decide, evolve, duties, scripts, result."""
