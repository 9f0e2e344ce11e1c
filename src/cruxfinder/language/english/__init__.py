"""The English reader: what an English text says, by detectors that are the same on every machine."""
