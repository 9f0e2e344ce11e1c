"""The gate at work: its rules from YAML, its memory on disk, and who debates."""
