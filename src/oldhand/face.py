"""Oldhand and AsyncOldhand: what an engineer imports."""
