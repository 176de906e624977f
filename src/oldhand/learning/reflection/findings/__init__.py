"""What rules find in an answer and in what was said of it: one file for each kind of sign."""
