"""What reads documents, wired to what it needs; imported when there is a document."""

from collections.abc import Callable

from oldhand.bootstrap.ground import Ground
from oldhand.loop.crediting import Crediting
from oldhand.loop.ingesting import Ingesting
from oldhand.loop.people import CloneRoles
from oldhand.record.retrieval import AskedPoint
from oldhand.sources.documents.fetching import Fetching
from oldhand.sources.documents.finding import DocumentPlaces


def crediting_of(ground: Ground, asked: Callable[[str], AskedPoint]) -> Crediting:
    """What learns from votes which passages to show."""
    return Crediting(ground.clone_id, ground.store, ground.settings.documents, ground.clock, asked)


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
