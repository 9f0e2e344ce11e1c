"""Credences of real people, and what their disagreement turns on."""
