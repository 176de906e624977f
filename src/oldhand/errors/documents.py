"""What can be wrong with documents, and with the places that they come from."""

from oldhand.errors.usage import OldhandError


class DocumentError(OldhandError):
    """A document could not be read."""


class UnreadableDocument(DocumentError):
    """The document is broken, or not what its name says."""


class EncryptedDocument(DocumentError):
    """The document is protected by a password: save it without one, and add it again."""


class UnsupportedDocument(DocumentError):
    """Documents of this kind are not read here."""


class DocumentTooLarge(DocumentError):
    """The document is larger than the settings allow."""


class DocumentGone(DocumentError):
    """The document is no longer where it was."""


class FetchFailed(DocumentError):
    """The address does not answer, or not with a document: it is tried again with the next refresh."""


class AddressRefused(DocumentError):
    """The address leads inside of a network, or is none that is read."""
