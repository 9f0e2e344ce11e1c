"""Runs debates: the kernel over debate time, the journal, and the runner that joins them."""
