"""Every error that Oldhand raises, named for what to do next.

    OldhandError
    ├── UsageError                 the call is wrong: change it
    │   ├── Closed                 what is used was closed: make another one
    │   ├── InOtherProcess         a fork uses what its parent opened: open one in each
    │   ├── InvalidId              a clone, user or database name that could leave its folder
    │   ├── InvalidQuestion        empty, or longer than a question can be
    │   ├── InvalidDatabaseUrl     the URL of a database does not parse, or its kind is not supported
    │   ├── NameTaken              something else goes by that name
    │   ├── UnknownDatabase        no database of that name is registered
    │   ├── UnknownEpisode         no answer has that id
    │   ├── UnknownClone           no assistant of that name is there for you
    │   ├── NotSignedIn            sign in first, or send a key
    │   │   └── IdentityRefused    the provider of identities signed in nobody whom we know: begin again
    │   ├── NotAllowed             your role does not allow this
    │   ├── TooManyRequests        wait a moment
    │   ├── UnknownRun             no unfinished run has that id
    │   ├── UnknownMemory          nothing that was learned has that id
    │   ├── UnknownDocument        no document of that name was added
    │   ├── UnknownSaved           no question is saved under that name
    │   ├── InvalidAlias           a phrase or target that cannot be one: the message says why
    │   ├── InvalidCondition       the condition of a lesson does not parse; the position is named
    │   ├── UnknownTarget          no table, column or value of that name: near ones are listed
    │   ├── UnclearRule            a stated rule is not understood: which part, and what would be
    │   ├── UnknownWords           the lexicon has no entry of that name: those of its file are listed
    │   ├── MemoryConflict         the id is taken by a memory of another user or type
    │   ├── InvalidSpec            a behaviour spec does not hold: file and line are named
    │   ├── InvalidBackup          no backup, or half-written, or changed: the file at fault is named
    │   ├── OutputExists           a file of that name is there: choose another, or --force
    │   ├── UnknownConsultation    no question to people has that id
    │   ├── UnknownExpert          nobody of that name is asked here
    │   ├── NoExpert               there is nobody to ask: name somebody
    │   ├── ReplyRefused           an expert's reply that does not count: the message says why, and what would
    │   ├── InvalidAddress         no address of XMPP: write it as bo@example.org
    │   ├── InvalidTrainingData    a file to train on does not hold: file and line are named
    │   ├── InvalidTool            a function or schema that cannot be a tool, or a name that is taken
    │   ├── InvalidNotes           notes for a prompt that are neither a text nor a list of texts
    │   ├── InvalidEvaluation      an evaluator's result that is none: the message says where
    │   └── InvalidSetting         a setting that does not parse or is out of range
    ├── MissingExtra               a driver or provider is not installed: the message says how
    ├── ProviderUnreachable        the provider of identities does not answer: try again, or sign in with a link
    ├── ServerUnreachable          the server of an assistant does not answer: is it running, and is the address right?
    ├── StoreError                 what was learned could not be read or written
    │   ├── StoreUnreachable
    │   ├── StoreLocked            another process holds it: try again
    │   ├── StoreFull              no room left on the disk
    │   ├── StoreTooNew            written by a newer version
    │   ├── StoreTooOld            written before the first release: export it there, import it here
    │   ├── ErasureIncomplete      something of a user who was to be erased is left: the message says where
    │   ├── RunTakenOver           somebody else goes on with this run of an agent: leave it to them
    │   └── JournalError           a journal or import file does not parse; the line is named
    ├── ModelError                 the language model did not do its part
    │   ├── UnknownModel           no such model name
    │   ├── ModelRefused           key missing or wrong, or the request was refused
    │   ├── ContextTooLong         the prompt does not fit: make it shorter
    │   │   └── ViewTooSmall       there is no room for even one table: raise models.context_tokens
    │   ├── MalformedAnswer        it answered, but not in the form that was asked for
    │   ├── UnreadableAction       what it said is neither an action nor an answer
    │   ├── CutStream              the answer ended before it was complete
    │   ├── MissingRecording       a replayed model has no answer for this prompt: record it
    │   └── ModelUnavailable       worth a retry later
    │       ├── RateLimited
    │       ├── ModelTimedOut
    │       ├── ModelServerError
    │       └── ModelUnreachable
    ├── ToolError                  a tool did not do its part: the message tells the model what to do next
    │   ├── InvalidArguments       they do not fit the tool's schema: call it again
    │   ├── ToolFailed             the tool itself raised an error
    │   └── ToolServerLost         the server of the tool did not start, died, or does not answer
    ├── PromptError                a prompt template is missing, broken, or not filled in
    ├── SchemaError                a schema file does not hold
    │   ├── UnknownType
    │   ├── DuplicateTable
    │   ├── DanglingForeignKey
    │   └── SchemaDrift            the file no longer fits the live database
    ├── DatabaseError              a database did not do its part
    │   ├── DatabaseUnreachable
    │   ├── QueryFailed            the database rejected the SQL: repair it
    │   ├── QueryTimedOut
    │   └── QueryCancelled
    ├── DocumentError              a document could not be read: the message says why
    │   ├── UnreadableDocument     broken, or not what its name says
    │   ├── EncryptedDocument      protected by a password: save it without one
    │   ├── UnsupportedDocument    of a kind that nobody here reads
    │   ├── DocumentTooLarge       larger than the settings allow
    │   ├── DocumentGone           no longer where it was
    │   ├── FetchFailed            its address does not answer: it is tried again later
    │   └── AddressRefused         its address leads inside of a network
    ├── DeliveryFailed             a message could not be delivered: it is tried again, or another way
    ├── MessagingError             a message to people or other agents could not be sent
    │   ├── ChatServerUnreachable  the XMPP server does not answer
    │   ├── ChatSignInRefused      it refused the address or its password
    │   ├── MessageTooLarge        larger than servers take
    │   ├── ProsodyMissing         the server is not installed: the message says how
    │   └── ProsodyFailed          it did not start: the message says why
    └── QueryRefused               the guard did not let the SQL run
        ├── UnreadableSQL          it does not parse
        ├── MultipleStatements
        ├── WriteRefused           it would change data or structure
        ├── StatementRefused       PRAGMA, ATTACH, COPY, INSTALL, SET and the like
        └── FunctionRefused        reads files, sleeps, or reaches out of the database

The docstring of a class is its default message. All are imported from here.
"""

# isort: off
from oldhand.errors.documents import (
    AddressRefused as AddressRefused,
    DocumentError as DocumentError,
    DocumentGone as DocumentGone,
    DocumentTooLarge as DocumentTooLarge,
    EncryptedDocument as EncryptedDocument,
    FetchFailed as FetchFailed,
    UnreadableDocument as UnreadableDocument,
    UnsupportedDocument as UnsupportedDocument,
)
from oldhand.errors.experts import (
    DeliveryFailed as DeliveryFailed,
    NoExpert as NoExpert,
    ReplyRefused as ReplyRefused,
    UnknownConsultation as UnknownConsultation,
    UnknownExpert as UnknownExpert,
)
from oldhand.errors.messaging import (
    ChatServerUnreachable as ChatServerUnreachable,
    ChatSignInRefused as ChatSignInRefused,
    InvalidAddress as InvalidAddress,
    MessageTooLarge as MessageTooLarge,
    MessagingError as MessagingError,
    ProsodyFailed as ProsodyFailed,
    ProsodyMissing as ProsodyMissing,
)
from oldhand.errors.models import (
    ContextTooLong as ContextTooLong,
    CutStream as CutStream,
    MalformedAnswer as MalformedAnswer,
    MissingRecording as MissingRecording,
    ModelError as ModelError,
    ModelRefused as ModelRefused,
    ModelServerError as ModelServerError,
    ModelTimedOut as ModelTimedOut,
    ModelUnavailable as ModelUnavailable,
    ModelUnreachable as ModelUnreachable,
    RateLimited as RateLimited,
    UnknownModel as UnknownModel,
    UnreadableAction as UnreadableAction,
    ViewTooSmall as ViewTooSmall,
)
from oldhand.errors.network import (
    NotAllowed as NotAllowed,
    IdentityRefused as IdentityRefused,
    NotSignedIn as NotSignedIn,
    ProviderUnreachable as ProviderUnreachable,
    ServerUnreachable as ServerUnreachable,
    TooManyRequests as TooManyRequests,
    UnknownClone as UnknownClone,
)
from oldhand.errors.tools import (
    InvalidArguments as InvalidArguments,
    ToolError as ToolError,
    ToolFailed as ToolFailed,
    ToolServerLost as ToolServerLost,
)
from oldhand.errors.refusals import (
    FunctionRefused as FunctionRefused,
    MultipleStatements as MultipleStatements,
    QueryRefused as QueryRefused,
    StatementRefused as StatementRefused,
    UnreadableSQL as UnreadableSQL,
    WriteRefused as WriteRefused,
)
from oldhand.errors.usage import (
    Closed as Closed,
    InOtherProcess as InOtherProcess,
    InvalidAlias as InvalidAlias,
    InvalidBackup as InvalidBackup,
    InvalidCondition as InvalidCondition,
    InvalidDatabaseUrl as InvalidDatabaseUrl,
    InvalidEvaluation as InvalidEvaluation,
    InvalidNotes as InvalidNotes,
    InvalidId as InvalidId,
    InvalidQuestion as InvalidQuestion,
    InvalidSetting as InvalidSetting,
    InvalidSpec as InvalidSpec,
    InvalidTool as InvalidTool,
    InvalidTrainingData as InvalidTrainingData,
    MemoryConflict as MemoryConflict,
    NameTaken as NameTaken,
    OldhandError as OldhandError,
    OutputExists as OutputExists,
    UnknownDatabase as UnknownDatabase,
    UnknownDocument as UnknownDocument,
    UnknownEpisode as UnknownEpisode,
    UnknownMemory as UnknownMemory,
    UnknownRun as UnknownRun,
    UnknownSaved as UnknownSaved,
    UnclearRule as UnclearRule,
    UnknownTarget as UnknownTarget,
    UnknownWords as UnknownWords,
    UsageError as UsageError,
)
# isort: on


class MissingExtra(OldhandError):
    """A part that this needs is not installed."""

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(f"{part} is not installed: pip install 'oldhand[{extra}]'")
        self.part = part
        self.extra = extra


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


class PromptError(OldhandError):
    """A prompt template is missing, broken, or not filled in."""


class SchemaError(OldhandError):
    """A schema file does not hold."""


class UnknownType(SchemaError):
    """A column has a type that is not known."""


class DuplicateTable(SchemaError):
    """A table is described twice."""


class DanglingForeignKey(SchemaError):
    """A foreign key points to a table or column that is not described."""


class SchemaDrift(SchemaError):
    """The schema file no longer fits the live database: `oldhand schema introspect` writes it anew."""


class DatabaseError(OldhandError):
    """A database did not do its part."""


class DatabaseUnreachable(DatabaseError):
    """The database cannot be reached."""


class QueryFailed(DatabaseError):
    """The database rejected the query."""


class QueryTimedOut(DatabaseError):
    """The query ran longer than its time limit and was stopped."""


class QueryCancelled(DatabaseError):
    """The query was cancelled."""


for _name in dir():
    if isinstance(_kind := globals()[_name], type):
        _kind.__module__ = __name__  # tracebacks name what people import
