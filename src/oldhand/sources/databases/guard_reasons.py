"""What the rules of one dialect are made of, and the reasons that they give."""

from typing import NamedTuple


class Names(NamedTuple):
    """What is refused, and what is allowed, in one dialect: shell patterns, parted by blanks."""

    functions: dict[str, str]
    """By the reason, which completes the sentence "it …"."""
    tables: dict[str, str] = {}  # noqa: RUF012 - nobody writes into it
    """By the reason."""
    catalogues: str = ""
    """Tables and views that come with the server."""
    structure: str = ""
    """Those of them that may be read: they tell the structure of tables."""
    harmless: str = ""
    """Functions that are allowed although a reason would cover them."""
    table_functions: str | None = None
    """Functions that may stand in FROM; None when any may that is not refused."""
    words: str = ""
    """Bare words that begin another statement, where none need be parted from the one before it."""


FILES = "reads or writes files"
SLEEPS = "makes the database wait"
REACHES = "reaches out of the database"
RUNS = "runs text as SQL or code that cannot be checked"
SETTINGS = "reads or changes the server's settings"
LOCKS = "takes or releases locks"
CHANGES = "changes data or the server's state"
SERVER = "shows or steers what belongs to the server's operator"
SECRETS = "holds passwords or other secrets"
