"""Judging what an agent does: rules and models that say in words what is wrong."""
