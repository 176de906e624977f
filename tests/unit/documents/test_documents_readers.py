"""Who may see a new document: the folder or sitemap that brings it decides, and the innermost folder that it lies in."""

import pytest

from oldhand.sources.documents.finding import readers_at
from oldhand.store.documents.documents import DocumentSource

INTERNAL = DocumentSource("https://x.org/sitemaps/internal.xml", "default", ("members",))
PUBLIC = DocumentSource("https://x.org/sitemap_index_of_everything.xml", "default", ("everyone",))
PAY = DocumentSource("https://x.org/hr/s.xml", "default", ("ana",))
ROOT = DocumentSource("/", "default", ("members",))


@pytest.mark.parametrize(
    ("place", "many", "by", "readers"),
    [
        ("https://x.org/docs/salaries.html", [INTERNAL], INTERNAL, ("members",)),
        ("https://x.org/docs/salaries.html", [INTERNAL], None, ("everyone",)),
        ("https://x.org/hr/pay.html", [PUBLIC, PAY], PUBLIC, ("ana",)),
        ("https://x.org/hr/pay.html", [PUBLIC, PAY], PAY, ("ana",)),
        (PAY.source, [PUBLIC, PAY, PAY._replace(source="https://x.org/hr/z.xml", readers=("bo",))], None, ("ana",)),
        ("/srv/notes.md", [ROOT], None, ("members",)),
    ],
)  # fmt: skip
def test_the_innermost_of_those_that_it_belongs_to_decides(place, many, by, readers):
    assert readers_at(place, many, by) == readers
