"""Who speaks when: plain generators that yield effects as values."""
