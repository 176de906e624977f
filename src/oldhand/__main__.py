"""`python -m oldhand` is the same as `oldhand`."""

from oldhand.cli import start

start()
