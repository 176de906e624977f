"""Every error that Oldhand raises, named for what to do next.

    OldhandError
    ├── UsageError                 the call is wrong: change it
    │   ├── Closed                 what is used was closed: make another one
    │   ├── InOtherProcess         a fork uses what its parent opened: open one in each
    │   ├── InvalidId              a clone, user or database name that could leave its folder
    │   ├── InvalidQuestion        empty, or longer than a question can be
    │   ├── InvalidDatabaseUrl     the URL of a database does not parse, or its kind is not supported
    │   ├── NameTaken              another database is registered under that name
    │   ├── UnknownDatabase        no database of that name is registered
    │   ├── UnknownEpisode         no answer has that id
    │   ├── UnknownRun             no unfinished run has that id
    │   ├── UnknownMemory          nothing that was learned has that id
    │   ├── InvalidAlias           a phrase or target that cannot be one: the message says why
    │   ├── InvalidEffect          what a lesson is to do can't be done: the message says why
    │   ├── InvalidCondition       the condition of a lesson does not parse; the position is named
    │   ├── UnknownTarget          no table, column or value of that name: near ones are listed
    │   ├── UnknownWords           the lexicon has no entry of that name: those of its file are listed
    │   ├── MemoryConflict         the id is taken by a memory of another user or type
    │   ├── InvalidSpec            a behaviour spec does not hold: file and line are named
    │   ├── OutputExists           a file of that name is there: choose another, or --force
    │   ├── InvalidTrainingData    a file to train on does not hold: file and line are named
    │   ├── InvalidTool            a function or schema that cannot be a tool, or a name that is taken
    │   ├── InvalidEvaluation      an evaluator's result that is none: the message says where
    │   └── InvalidSetting         a setting that does not parse or is out of range
    ├── MissingExtra               a driver or provider is not installed: the message says how
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
    └── QueryRefused               the guard did not let the SQL run
        ├── UnreadableSQL          it does not parse
        ├── MultipleStatements
        ├── WriteRefused           it would change data or structure
        ├── StatementRefused       PRAGMA, ATTACH, COPY, INSTALL, SET and the like
        └── FunctionRefused        reads files, sleeps, or reaches out of the database

The docstring of a class is its default message. All are imported from here.
"""

from oldhand.errors.databases import (
    DanglingForeignKey,
    DatabaseError,
    DatabaseUnreachable,
    DuplicateTable,
    FunctionRefused,
    MultipleStatements,
    QueryCancelled,
    QueryFailed,
    QueryRefused,
    QueryTimedOut,
    SchemaDrift,
    SchemaError,
    StatementRefused,
    UnknownType,
    UnreadableSQL,
    WriteRefused,
)
from oldhand.errors.models import (
    ContextTooLong,
    CutStream,
    MalformedAnswer,
    MissingRecording,
    ModelError,
    ModelRefused,
    ModelServerError,
    ModelTimedOut,
    ModelUnavailable,
    ModelUnreachable,
    RateLimited,
    UnknownModel,
    UnreadableAction,
)
from oldhand.errors.root import OldhandError
from oldhand.errors.store import (
    ErasureIncomplete,
    JournalError,
    RunTakenOver,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreTooNew,
    StoreTooOld,
    StoreUnreachable,
)
from oldhand.errors.tools import (
    InvalidArguments,
    PromptError,
    ToolError,
    ToolFailed,
    ToolServerLost,
)
from oldhand.errors.usage import (
    Closed,
    InOtherProcess,
    InvalidAlias,
    InvalidCondition,
    InvalidDatabaseUrl,
    InvalidEffect,
    InvalidEvaluation,
    InvalidId,
    InvalidQuestion,
    InvalidSetting,
    InvalidSpec,
    InvalidTool,
    InvalidTrainingData,
    MemoryConflict,
    MissingExtra,
    NameTaken,
    OutputExists,
    UnknownDatabase,
    UnknownEpisode,
    UnknownMemory,
    UnknownRun,
    UnknownTarget,
    UnknownWords,
    UsageError,
)

__all__ = [
    "Closed",
    "ContextTooLong",
    "CutStream",
    "DanglingForeignKey",
    "DatabaseError",
    "DatabaseUnreachable",
    "DuplicateTable",
    "ErasureIncomplete",
    "FunctionRefused",
    "InOtherProcess",
    "InvalidAlias",
    "InvalidArguments",
    "InvalidCondition",
    "InvalidDatabaseUrl",
    "InvalidEffect",
    "InvalidEvaluation",
    "InvalidId",
    "InvalidQuestion",
    "InvalidSetting",
    "InvalidSpec",
    "InvalidTool",
    "InvalidTrainingData",
    "JournalError",
    "MalformedAnswer",
    "MemoryConflict",
    "MissingExtra",
    "MissingRecording",
    "ModelError",
    "ModelRefused",
    "ModelServerError",
    "ModelTimedOut",
    "ModelUnavailable",
    "ModelUnreachable",
    "MultipleStatements",
    "NameTaken",
    "OldhandError",
    "OutputExists",
    "PromptError",
    "QueryCancelled",
    "QueryFailed",
    "QueryRefused",
    "QueryTimedOut",
    "RateLimited",
    "RunTakenOver",
    "SchemaDrift",
    "SchemaError",
    "StatementRefused",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreTooNew",
    "StoreTooOld",
    "StoreUnreachable",
    "ToolError",
    "ToolFailed",
    "ToolServerLost",
    "UnknownDatabase",
    "UnknownEpisode",
    "UnknownMemory",
    "UnknownModel",
    "UnknownRun",
    "UnknownTarget",
    "UnknownType",
    "UnknownWords",
    "UnreadableAction",
    "UnreadableSQL",
    "UsageError",
    "WriteRefused",
]

for _name in __all__:
    globals()[_name].__module__ = __name__  # tracebacks name what people import
