"""`oldhand memory`: what was learned, as files that belong to the user."""

from typer import Typer

from oldhand.cli.exits import OldhandGroup

app = Typer(cls=OldhandGroup, no_args_is_help=True, rich_markup_mode=None)
