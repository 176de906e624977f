"""What all errors have in common; and those of calls that are wrong."""

from inspect import getdoc

_SHOWN = 2_000
"""Characters at either end of a message that are shown."""


class OldhandError(Exception):
    """Something went wrong in Oldhand."""

    def __init__(self, message: str | None = None) -> None:
        said = message or getdoc(type(self)) or type(self).__name__
        if (
            len(said) > 2 * _SHOWN
        ):  # it quotes what somebody gave; what to do next stands at the end
            said = f"{said[:_SHOWN]} … {said[-_SHOWN:]}"
        super().__init__(said)


class UsageError(OldhandError):
    """The request cannot be carried out as it was made."""


class Closed(UsageError):
    """This was closed: make another one."""


class InOtherProcess(UsageError):
    """This was opened in another process: open one in each."""


class InvalidId(UsageError):
    """An id may hold letters, digits, dots, dashes, underscores and @, and starts with a letter or digit."""


class InvalidQuestion(UsageError):
    """The question is empty, too long, or no text."""


class InvalidDatabaseUrl(UsageError):
    """The URL of a database does not parse, or its kind is not supported."""


class NameTaken(UsageError):
    """Something else goes by that name: remove it first, or choose another name."""


class UnknownDatabase(UsageError):
    """No database of that name is registered: `oldhand schema list` shows what is there."""


class UnknownEpisode(UsageError):
    """No answer with that id is in the store."""


class UnknownRun(UsageError):
    """No unfinished run with that id is known: runs that were answered are not kept to be resumed."""


class UnknownMemory(UsageError):
    """No memory with that id is in the store."""


class UnknownDocument(UsageError):
    """No document of that name was added: `oldhand docs list` shows those that were."""


class UnknownSaved(UsageError):
    """No question is saved under that name: `oldhand saved list` names those that are."""


class InvalidAlias(UsageError):
    """This cannot be an alias: a phrase is a few words, a target is database.table, database.table.column, or database.table.column = value."""


class InvalidCondition(UsageError):
    """The condition of a lesson does not parse."""

    def __init__(self, message: str | None = None, *, position: int = 0) -> None:
        super().__init__(message and f"At character {position + 1}: {message}.")
        self.position = position
        """Of the first character that does not fit, counted from 0."""


class UnknownTarget(UsageError):
    """No table, column or value goes by that name."""

    def __init__(self, message: str | None = None, *, near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.near = near
        """Names that are spelt alike, best first."""


class UnclearRule(UsageError):
    """A rule that was stated is not understood: the message says which part, and what would be."""


class UnknownWords(UsageError):
    """The lexicon has no entry of that name."""


class MemoryConflict(UsageError):
    """The id is taken by a memory of another user or type."""

    def __init__(self, message: str | None = None, *, memory_id: str) -> None:
        super().__init__(message)
        self.memory_id = memory_id


class InvalidSpec(UsageError):
    """A behaviour spec does not hold."""


class InvalidBackup(UsageError):
    """The file is no backup, is half-written, or was changed."""


class OutputExists(UsageError):
    """A file of that name is there already: choose another name, or overwrite it with --force."""


class InvalidTrainingData(UsageError):
    """A file to train on does not hold."""


class InvalidTool(UsageError):
    """This cannot be a tool: every parameter needs a name and a type that JSON knows."""


class InvalidNotes(UsageError):
    """Notes for a prompt are a text or a list of texts."""


class InvalidEvaluation(UsageError):
    """What an evaluator returned is no result."""


class InvalidSetting(UsageError):
    """A setting does not parse or is out of range."""
