"""Debaters that think with a language model: prompts beside the readers of their replies."""
