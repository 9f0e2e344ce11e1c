"""The gate: csp text, router, planning and failure debates, fingerprints, memory. Pure."""
