"""What reads documents, wired to what it needs; imported when a document is added."""

from oldhand.bootstrap.ground import Ground
from oldhand.loop.ingesting import Ingesting
from oldhand.loop.people import CloneRoles


def ingesting_of(ground: Ground, people: CloneRoles) -> Ingesting:
    """What reads the documents of a home."""
    return Ingesting(
        ground.clone_id, ground.path, ground.store, people, ground.settings.documents, ground.clock
    )
