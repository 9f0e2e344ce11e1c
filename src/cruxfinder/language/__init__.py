"""What a text says: sentences, same point, opposed, what a turn adds, observable events, deadlines."""
