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
