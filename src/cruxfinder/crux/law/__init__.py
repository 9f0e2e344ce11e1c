"""The law of a debate for its crux, one file a rule family: pure functions over frozen values."""
