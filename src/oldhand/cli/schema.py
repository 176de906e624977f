"""`oldhand schema`: what is known of each database."""

from typer import Typer

from oldhand.cli.exits import OldhandGroup

app = Typer(cls=OldhandGroup, no_args_is_help=True, rich_markup_mode=None)
