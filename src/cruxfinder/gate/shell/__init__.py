"""A shell's text, SQL and code read into the plain commands they would run. Nothing is ever run."""
