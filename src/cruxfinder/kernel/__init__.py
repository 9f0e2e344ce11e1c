"""Runs any protocol: debate time, effects, dice, budget, journal, runner, and the values all of them share."""
