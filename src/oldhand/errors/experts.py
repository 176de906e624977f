"""What can be wrong when people are asked."""

from oldhand.errors.usage import OldhandError, UsageError


class UnknownConsultation(UsageError):
    """No question to people has that id: `oldhand experts questions` lists them."""


class UnknownExpert(UsageError):
    """Nobody of that name is asked here: `oldhand experts list` shows who is."""


class NoExpert(UsageError):
    """There is nobody to ask: `oldhand experts add NAME` names somebody."""


class ReplyRefused(UsageError):
    """The reply does not count: the message says why, and what would."""


class DeliveryFailed(OldhandError):
    """A message could not be delivered."""
