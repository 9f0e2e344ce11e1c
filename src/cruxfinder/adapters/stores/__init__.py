"""Where runs are kept: in memory or in one SQLite file, with the same behaviour."""
