"""From request to run: the only place where parts are joined."""
