"""A ferry line and what is taught about it."""
