"""The law of conversations in turns, one file a rule family."""
