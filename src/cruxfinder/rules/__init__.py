"""The law: one file a rule family, pure functions over frozen values."""
