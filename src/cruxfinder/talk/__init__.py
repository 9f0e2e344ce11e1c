"""Conversations in turns: debate with an arbitrator, consensus, discussion, roundtable."""
