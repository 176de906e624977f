"""The whole command line, for tests and for what is generated from it."""

from oldhand.cli.app import made

app = made()
