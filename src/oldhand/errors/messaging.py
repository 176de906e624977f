"""What can be wrong with messages to people and other agents, and with the server that carries them."""

from oldhand.errors.usage import OldhandError, UsageError


class InvalidAddress(UsageError):
    """This is no XMPP address: write it as bo@example.org."""


class MessagingError(OldhandError):
    """A message to people or other agents could not be sent."""


class ChatServerUnreachable(MessagingError):
    """The XMPP server does not answer: is it running, and are host and port right?"""


class ChatSignInRefused(MessagingError):
    """The XMPP server refused the address or its password."""


class MessageTooLarge(MessagingError):
    """The message is larger than servers take: shorten it."""


class ProsodyMissing(MessagingError):
    """Prosody, the XMPP server, is not installed: `apt install prosody`."""


class ProsodyFailed(MessagingError):
    """Prosody did not start; the message says why."""
