"""Alembic runs this; `oldhand.store.migrate` hands over the connection and its transaction."""

from alembic import context

from oldhand.store.tables import metadata

# Alembic lends the context its face for the time of a run; importing the module does nothing.
if hasattr(context, "config"):
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    context.run_migrations()
