"""What each step of a plan is for, in words."""

from collections.abc import Sequence

from oldhand.lexicon.wording import listed
from oldhand.query.describing.describing import things_read
from oldhand.query.form import Count, Opaque
from oldhand.query.splitting.split import Piece
from oldhand.record.answer import WORKSPACE
from oldhand.record.schema import DatabaseSchema


def purpose_of(piece: Piece, schemas: Sequence[DatabaseSchema]) -> str:
    """One line for the plan.

    >>> purpose_of(Piece(3, "workspace", Opaque("workspace", "SELECT 1"), (1, 2)), ())
    'join the rows of steps 1 and 2'
    """
    if piece.database == WORKSPACE:
        numbers = listed([str(number) for number in piece.depends_on])
        return f"join the rows of steps {numbers}" if piece.depends_on else "work out the answer"
    query = piece.query
    if isinstance(query, Opaque):
        return "read rows"
    counts = not piece.columns and any(isinstance(one, Count) for one in query.select)
    return f"{'count' if counts else 'read'} {things_read(query, schemas)}"
