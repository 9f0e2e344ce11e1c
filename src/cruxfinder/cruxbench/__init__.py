"""CruxBench: disagreements whose crux is known, and how often a finder names it."""
