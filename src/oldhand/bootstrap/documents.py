"""What reads documents, wired to what it needs; imported when a document is added."""

from oldhand.bootstrap.ground import Ground
from oldhand.loop.ingesting import Ingesting
from oldhand.loop.people import CloneRoles
from oldhand.sources.documents.fetching import Fetching
from oldhand.sources.documents.finding import DocumentPlaces


def ingesting_of(ground: Ground, people: CloneRoles) -> Ingesting:
    """What reads the documents of a home."""
    limits = ground.settings.documents
    fetching = Fetching(limits.megabytes, limits.fetch_seconds, limits.inside)
    return Ingesting(
        ground.clone_id,
        ground.store,
        people,
        DocumentPlaces(fetching, limits.most, ground.path),
        limits,
        ground.clock,
    )
