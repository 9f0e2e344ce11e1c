"""The gate at work: its memory and approvals on disk, and who debates."""
