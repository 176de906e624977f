"""Measurements: each module here has a `run(data)` that prints a Markdown table."""
