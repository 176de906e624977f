"""Alembic runs this; `oldhand.store.migrate` hands over the connection and its transaction."""

from alembic import context

from oldhand.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
