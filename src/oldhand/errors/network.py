"""What can be wrong with requests that come over the network, and with the server that they go to."""

from oldhand.errors.usage import OldhandError, UsageError


class UnknownClone(UsageError):
    """No assistant of that name is there for you."""


class NotSignedIn(UsageError):
    """Sign in first, or send a key: `Authorization: Bearer …`."""


class NotAllowed(UsageError):
    """Your role does not allow this."""


class IdentityRefused(NotSignedIn):
    """The provider of identities did not sign anybody in whom we know: begin again, or ask to be invited."""


class ProviderUnreachable(OldhandError):
    """The provider of identities does not answer: try again, or sign in with a link."""


class TooManyRequests(UsageError):
    """Too many requests: wait a moment."""


class ServerUnreachable(OldhandError):
    """The server of this assistant does not answer: is it running, and is the address right?"""
