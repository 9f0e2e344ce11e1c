"""Credences of real people: a form to fill in, the table that comes back, and what their disagreement turns on."""
