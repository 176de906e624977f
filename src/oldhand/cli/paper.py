"""What is printed on."""

from rich.console import Console


class Paper(Console):
    """A console that leaves it to the program what happens when its reader has gone."""

    def on_broken_pipe(self) -> None:
        """Go on raising; where Rich would end the program with the exit code 1."""
        raise  # noqa: PLE0704
