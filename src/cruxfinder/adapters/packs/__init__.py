"""Packs and other YAML files, read strictly: each fault is named with its line."""
