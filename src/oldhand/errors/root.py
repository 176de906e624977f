"""What all errors have in common."""

from inspect import getdoc


class OldhandError(Exception):
    """Something went wrong in Oldhand."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or getdoc(type(self)) or type(self).__name__)
