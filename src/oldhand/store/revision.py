"""Whether a store has the tables of this version already, found out without Alembic."""

import sqlalchemy as sa

from oldhand.store.engine import translated

HEAD = "0015"
"""The newest migration; a test holds it against the migrations."""

_VERSION = sa.table("alembic_version", sa.column("version_num"))


def at_head(engine: sa.Engine) -> bool:
    """True when there is nothing to migrate."""
    with translated(engine.url), engine.connect() as connection:
        if not sa.inspect(connection).has_table(_VERSION.name):
            return False
        return connection.scalars(sa.select(_VERSION.c.version_num)).all() == [HEAD]
