"""SQL databases, opened for reading only."""
