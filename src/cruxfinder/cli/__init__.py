"""The command line: `crux`. Commands import what they need when they run, so that the program starts fast."""
