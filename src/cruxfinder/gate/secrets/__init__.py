"""Keys, passwords and tokens found in texts and taken out of them."""
