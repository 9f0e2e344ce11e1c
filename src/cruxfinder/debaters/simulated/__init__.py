"""Believers with a small belief network, who argue what they believe."""
