"""What the words of a question are in the databases."""
