"""What was learned could not be read or written."""

from oldhand.errors.root import OldhandError


class StoreError(OldhandError):
    """The store could not be read or written."""


class StoreUnreachable(StoreError):
    """The store does not answer at its address."""


class StoreLocked(StoreError):
    """Another process holds the store: try again in a moment."""


class StoreFull(StoreError):
    """There is no room left where the store lies; nothing was half written."""


class ErasureIncomplete(StoreError):
    """Something of a user who was to be erased is left: the message says where."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of Oldhand: upgrade the program."""


class StoreTooOld(StoreError):
    """The store comes from before the first release: export it with the program that made it, import it into a new one."""


class RunTakenOver(StoreError):
    """Somebody else goes on with this run, or has ended it: leave it to them."""


class JournalError(StoreError):
    """A journal or import file does not parse."""
