"""What tools can do wrong."""

from oldhand.errors.usage import OldhandError


class ToolError(OldhandError):
    """A tool did not do its part."""


class InvalidArguments(ToolError):
    """The arguments do not fit the tool's schema."""


class ToolFailed(ToolError):
    """The tool raised an error."""


class ToolServerLost(ToolError):
    """The server of a tool did not start, died, or does not answer."""
