"""Queries over several databases, cut into one for each and one that joins their rows."""
