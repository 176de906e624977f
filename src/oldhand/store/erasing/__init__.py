"""Erasing all that is of a user, from tables and files."""
