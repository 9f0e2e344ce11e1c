"""Personas for a free topic: from a file, from memos, from a transcript, or drawn up by a model."""
