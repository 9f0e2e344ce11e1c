"""Topics and personas that ship with Cruxfinder, and the reader of the format they are written in."""
