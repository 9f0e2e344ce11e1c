"""A run as a file of another program: JSON, Markdown, Argdown, Mermaid, GraphML, CSV, or a decision record."""
