"""Names for things that have none."""

from uuid import uuid4


def random_id() -> str:
    """A random id; nothing else has it."""
    return str(uuid4())
