"""A small company out of a seeded generator, and questions about it."""
