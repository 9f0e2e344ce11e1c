"""A provider of our own on loopback: an OpenAI-compatible server with latency, counters and faults, and a brain."""
