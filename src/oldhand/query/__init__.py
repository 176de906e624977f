"""The query form, and the two places where it meets SQL."""
