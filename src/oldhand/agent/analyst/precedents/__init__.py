"""Confirmed and rejected questions with their SQL, and how they change what the built-in mind answers."""
