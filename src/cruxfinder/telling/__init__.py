"""One voice: what events, verdicts and numbers are called, as values; the edges lay them out."""
