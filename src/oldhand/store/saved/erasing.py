"""What users saved goes with them."""

from collections.abc import Set

import sqlalchemy as sa

from oldhand.store.reading import delete_among
from oldhand.store.saved.tables import boards, saved_questions


def leave_saved(connection: sa.Connection, clone_id: str, user_id: str, ids: Set[str]) -> None:
    """Delete what a user saved, and what others saved of their answers; let readers and boards of others name them no more."""
    of = saved_questions.c
    own = sa.and_(of.clone_id == clone_id, of.user_id == user_id)
    connection.execute(sa.delete(saved_questions).where(own))
    delete_among(connection, saved_questions, of.episode_id, sorted(ids), of.clone_id == clone_id)
    theirs = sa.and_(boards.c.clone_id == clone_id, boards.c.user_id == user_id)
    connection.execute(sa.delete(boards).where(theirs))
    query = sa.select(of.id, of.readers).where(of.clone_id == clone_id)
    for saved_id, readers in connection.execute(query).all():
        if user_id in readers:
            this = sa.and_(of.clone_id == clone_id, of.id == saved_id)
            left = [one for one in readers if one != user_id]
            connection.execute(sa.update(saved_questions).where(this).values(readers=left))
