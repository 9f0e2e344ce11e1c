"""People at seats of their own, and the desk where their asks lie open."""
