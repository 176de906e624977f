"""Queries without regard to a dialect, and the SQL of each dialect."""
