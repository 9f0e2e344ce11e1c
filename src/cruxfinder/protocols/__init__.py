"""The registry of protocols, and the unions over them: runs, events, asks and answers of any protocol."""
