"""What a language model can do wrong."""

from oldhand.errors.usage import OldhandError


class ModelError(OldhandError):
    """The language model did not do its part."""


class UnknownModel(ModelError):
    """No model goes by that name: use provider:name, such as openai:gpt-4o or ollama:llama3.2."""


class ModelRefused(ModelError):
    """The model's provider refused the request: check the API key and the model's name."""


class ContextTooLong(ModelError):
    """The prompt is longer than the model can read."""


class ViewTooSmall(ContextTooLong):
    """There is no room for even one table in a prompt: raise models.context_tokens."""


class MalformedAnswer(ModelError):
    """The model's answer does not have the form that was asked for."""


class UnreadableAction(ModelError):
    """What the model said is neither an action nor an answer."""


class CutStream(ModelError):
    """The model's answer ended before it was complete."""


class MissingRecording(ModelError):
    """No answer was recorded for this prompt."""


class ModelUnavailable(ModelError):
    """The model does not answer at the moment: try again later."""

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds to wait, as the provider said; None when it did not."""


class RateLimited(ModelUnavailable):
    """The model's provider limits the rate of requests."""


class ModelTimedOut(ModelUnavailable):
    """The model did not answer in time."""


class ModelServerError(ModelUnavailable):
    """The model's server failed."""


class ModelUnreachable(ModelUnavailable):
    """The model's server cannot be reached."""
