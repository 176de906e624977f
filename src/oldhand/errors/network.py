"""What can be wrong with requests that come over the network, and with the server that they go to."""

from oldhand.errors.usage import OldhandError, UsageError


class UnknownClone(UsageError):
    """No assistant of that name is there for you."""


class NotSignedIn(UsageError):
    """Sign in first, or send a key: `Authorization: Bearer …`."""


class NotAllowed(UsageError):
    """Your role does not allow this."""


class TooManyRequests(UsageError):
    """Too many requests: wait a moment."""


class ServerUnreachable(OldhandError):
    """The server of this assistant does not answer: is it running, and is the address right?"""
