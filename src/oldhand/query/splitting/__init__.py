"""Queries over several databases, split into one for each and one that joins their rows."""
