"""What exists: words, moves, messages, asks, events, refusals. Frozen values, no behaviour."""
