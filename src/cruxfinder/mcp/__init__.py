"""The gate and whole debates as tools for agents, over the Model Context Protocol: `crux mcp`."""
