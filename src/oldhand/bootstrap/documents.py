"""What reads documents, wired to what it needs; imported when there is a document."""

from typing import TYPE_CHECKING

from oldhand.loop.crediting import Crediting
from oldhand.loop.ingesting import Ingesting
from oldhand.loop.passage_care import PassageCare
from oldhand.sources.documents.fetching import Fetching
from oldhand.sources.documents.finding import DocumentPlaces

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home


def crediting_of(home: "Home") -> Crediting:
    """What learns from votes which passages to show."""
    return Crediting(
        home.clone_id, home.store, home.settings.documents, home.clock, home.finding.asked
    )


def passage_care_of(home: "Home") -> PassageCare:
    """What tells how documents fare."""
    return PassageCare(home.crediting, home.people, home.new_id)


def ingesting_of(home: "Home") -> Ingesting:
    """What reads the documents of a home."""
    limits = home.settings.documents
    fetching = Fetching(limits.megabytes, limits.fetch_seconds, limits.inside)
    return Ingesting(home, DocumentPlaces(fetching, limits.most, home.path), limits)
