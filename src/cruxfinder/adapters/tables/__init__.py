"""Tables of votes and credences, read from CSV files and written as forms."""
