"""Learning: what feedback teaches, and what is recalled for a question."""
