"""Tables of votes and credences: who stands together, and what they disagree about."""
