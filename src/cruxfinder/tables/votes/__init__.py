"""Maps of votes: who stands together, which questions divide them, and what they share."""
