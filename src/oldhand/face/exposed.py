"""What of an assistant can be called over the network: one table for the server's routes and for the client.

Each row names a method of `AsyncOldhand` or of one of its groups. Its parameters become those of the request, its
docstring the description, and what it returns is sent as JSON; `as_caller` is filled in from who is signed in, so that nobody
speaks in another's name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any

from oldhand.face.access import AsyncAccess, AsyncPeople
from oldhand.face.async_face import AsyncOldhand
from oldhand.face.boards import AsyncBoards
from oldhand.face.documents import AsyncDocuments
from oldhand.face.episodes import AsyncEpisodes
from oldhand.face.experts import AsyncExperts
from oldhand.face.memories import AsyncMemories
from oldhand.face.prompts import AsyncPrompts
from oldhand.face.rules import AsyncRules
from oldhand.face.saved import AsyncSaved
from oldhand.face.settings import AsyncSettings
from oldhand.learning.evidence import LessonEvidence
from oldhand.learning.hygiene import Flawed
from oldhand.learning.prompts import PromptTest
from oldhand.learning.routing import Route
from oldhand.loop.ingesting import IngestedDocument
from oldhand.loop.learned_rules import LearnedRule
from oldhand.loop.memories import Defined, EditedMemory, Remembered
from oldhand.loop.night import NightReport
from oldhand.loop.progress import AnswersOfDay, MemoryChange
from oldhand.loop.rebuilding import Rebuilt
from oldhand.loop.reviewing import Waiting
from oldhand.loop.serving import Recollected
from oldhand.loop.stating import KnownRule, RulePreview
from oldhand.record.access import Account, AuditEntry, Credential, Issued, Role
from oldhand.record.answer import Answer
from oldhand.record.clone import Clone, DatabaseEntry
from oldhand.record.consultation import Consultation, ConsultationEvent
from oldhand.record.document import Document, Passage
from oldhand.record.episode import Episode
from oldhand.record.evaluation import IssueTally
from oldhand.record.expert import ExpertProfile, ExpertStats, Reception
from oldhand.record.fixing import Fixing
from oldhand.record.memory import Memory
from oldhand.record.monitoring import Activity, DocumentStats, PassageStanding, PassageVote
from oldhand.record.receipt import Receipt
from oldhand.record.route import RouteResponse
from oldhand.record.saved import Board, Delivery, SavedAnswer, SavedQuestion, SeenBoard
from oldhand.record.schema import DatabaseSchema, ForeignKey
from oldhand.record.why import Cause, Why
from oldhand.settings import Settings
from oldhand.sources.databases import Catalog
from oldhand.sources.databases.drift import Drift
from oldhand.sources.databases.keys.inference import InferredKey
from oldhand.store import ErasedCounts, FeedbackTotals, RolledBack, UsageTotal

CONTEXT = "context"
"""The parameter that holds what is known of a question, also who asks it."""


@dataclass(frozen=True)
class Exposed:
    """One method, and how it is called over the network."""

    method: str
    """Such as `memories.get`; without a dot it is a method of the assistant itself."""
    verb: str
    path: str
    """Below `/api/clones/{clone}`; what stands in braces is a parameter of the method."""
    least: Role
    returns: Any
    as_caller: tuple[str, ...] = ()
    """Parameters that are the name of who is signed in; a `context` holds it as its `user`."""
    hidden: tuple[str, ...] = ()
    """Parameters that have no meaning over the network."""
    own: str = ""
    """The parameter that names an answer: whoever does not see all may name only their own."""
    takes_file: bool = False
    """Whether it is given a file: its `file_name` and its `data` come as a part of a form."""
    shown: Callable[[Any], object] | None = None
    """What of the result is sent; all of it when None."""

    @property
    def group(self) -> str:
        """The group that the method belongs to; empty for the assistant itself."""
        return self.method.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.rpartition(".")[2]


def without_address(entry: DatabaseEntry) -> DatabaseEntry:
    """A database without where it lies, which may hold a password; its kind is left.

    >>> without_address(DatabaseEntry(name="shop", url="postgresql://ana:secret@db/shop")).url
    'postgresql://'
    """
    return entry.model_copy(update={"url": f"{entry.url.partition('://')[0]}://"})


def without_addresses(entries: Sequence[DatabaseEntry]) -> tuple[DatabaseEntry, ...]:
    """Each of them as `without_address`."""
    return tuple(without_address(one) for one in entries)


_E, _M, _O = Role.EXTERNAL, Role.MEMBER, Role.OWNER
_X = Role.EXPERT
_ANSWER = "/answers/{episode_id}"
_MEMORY = "/memories/{memory_id}"
_CONSULTATION = "/consultations/{consultation_id}"
_SAVED, _BOARD = "/saved/{name}", "/boards/{board}"

EXPOSED = (
    Exposed("ask", "POST", "/ask", _E, Answer, ("user",), hidden=("observe",)),
    Exposed("route", "POST", "/route", _M, RouteResponse, ("context",), hidden=("observe",)),
    Exposed("rehearse", "POST", "/rehearse", _X, RouteResponse, ("context",)),
    Exposed("recall", "POST", "/recall", _M, Recollected, ("user",)),
    Exposed("record", "POST", "/record", _M, str, ("user",)),
    Exposed("feedback", "POST", f"{_ANSWER}/feedback", _E, Receipt, ("rater",), own="episode_id"),
    Exposed("learn", "POST", "/learn", _O, NightReport),
    Exposed("routes", "GET", "/routes", _X, tuple[Route, ...]),
    Exposed("feedback_totals", "GET", "/feedback-totals", _X, FeedbackTotals),
    Exposed("activity", "GET", "/activity", _X, Activity),
    Exposed("usage", "GET", "/usage", _O, tuple[UsageTotal, ...]),
    Exposed("issues", "GET", "/issues", _X, tuple[IssueTally, ...]),
    Exposed("progress", "GET", "/progress", _O, tuple[AnswersOfDay, ...]),
    Exposed("episodes.list", "GET", "/answers", _E, tuple[Episode, ...], own="user"),
    Exposed("episodes.get", "GET", _ANSWER, _E, Episode, own="episode_id"),
    Exposed("episodes.why", "GET", f"{_ANSWER}/why", _M, Why, own="episode_id"),
    Exposed("episodes.reflect", "POST", f"{_ANSWER}/reflect", _X, Memory, own="episode_id"),
    Exposed("episodes.fixing", "POST", f"{_ANSWER}/fixing", _M, Fixing, own="episode_id"),
    Exposed("episodes.fix", "POST", f"{_ANSWER}/fix", _M, Receipt, ("rater",), own="episode_id"),
    Exposed("memories.list", "GET", "/memories", _X, tuple[Memory, ...]),
    Exposed("memories.waiting", "GET", "/memories/waiting", _X, tuple[Waiting, ...]),
    Exposed("memories.changes", "GET", "/memories/changes", _X, tuple[MemoryChange, ...]),
    Exposed("memories.flaws", "GET", "/memories/flaws", _X, tuple[Flawed, ...]),
    Exposed("memories.clean", "POST", "/memories/clean", _O, tuple[Flawed, ...]),
    Exposed("memories.why", "GET", f"{_MEMORY}/why", _X, Cause),
    Exposed(
        "memories.evidence", "GET", "/evidence", _X, tuple[LessonEvidence, ...], hidden=("decide",)
    ),
    Exposed("memories.get", "GET", _MEMORY, _X, Remembered),
    Exposed("memories.define", "POST", "/words", _X, Defined, ("rater",)),
    Exposed("memories.approve", "POST", f"{_MEMORY}/approve", _O, Memory, ("rater",)),
    Exposed("memories.pin", "POST", f"{_MEMORY}/pin", _O, Memory, ("rater",)),
    Exposed("memories.retire", "POST", f"{_MEMORY}/retire", _O, Memory, ("rater",)),
    Exposed("memories.edit", "POST", f"{_MEMORY}/edit", _X, EditedMemory, ("rater",)),
    Exposed("memories.undo", "POST", f"{_MEMORY}/undo", _O, Memory, ("rater",)),
    Exposed("memories.forget", "DELETE", _MEMORY, _O, Memory),
    Exposed("memories.prune", "POST", "/memories/prune", _O, tuple[Memory, ...]),
    Exposed("memories.roll_back", "POST", "/memories/roll-back", _O, RolledBack),
    Exposed("memories.rebuild", "POST", "/memories/rebuild", _O, Rebuilt),
    Exposed("rules.list", "GET", "/rules", _M, tuple[KnownRule, ...]),
    Exposed("rules.learned", "GET", "/rules/learned", _M, tuple[LearnedRule, ...]),
    Exposed("rules.layers", "GET", "/rules/layers", _M, dict[str, str]),
    Exposed("rules.add", "POST", "/rules", _X, RulePreview, ("rater",)),
    Exposed("rules.edit", "POST", "/rules/edit", _X, RulePreview, ("rater",)),
    Exposed("rules.undo", "POST", "/rules/undo", _X, tuple[KnownRule, ...], ("rater",)),
    Exposed("rules.remove", "DELETE", "/rules", _X, tuple[KnownRule, ...], ("rater",)),
    Exposed("prompts.list", "GET", "/prompts", _X, tuple[Memory, ...]),
    Exposed("prompts.diff", "GET", "/prompts/versions/{version}/diff", _X, tuple[str, ...]),
    Exposed("prompts.test", "GET", "/prompts/{role}/test", _X, PromptTest | None),
    Exposed("prompts.roll_back", "POST", "/prompts/{role}/roll-back", _O, tuple[Memory, ...]),
    Exposed("experts.list", "GET", "/experts", _M, tuple[ExpertProfile, ...]),
    Exposed("experts.add", "POST", "/experts/{expert}", _O, ExpertProfile),
    Exposed("experts.remove", "DELETE", "/experts/{expert}", _O, None),
    Exposed("experts.stats", "GET", "/expert-stats", _X, tuple[ExpertStats, ...]),
    Exposed("experts.ask", "POST", "/consultations", _M, Consultation, ("user",)),
    Exposed("experts.questions", "GET", "/consultations", _X, tuple[Consultation, ...]),
    Exposed("experts.news", "POST", "/consultation-news", _M, tuple[Consultation, ...], ("user",)),
    Exposed("experts.inbox", "GET", "/inbox", _X, tuple[Consultation, ...], ("expert",)),
    Exposed("experts.get", "GET", _CONSULTATION, _X, Consultation),
    Exposed("experts.events", "GET", f"{_CONSULTATION}/events", _X, tuple[ConsultationEvent, ...]),
    Exposed("experts.answer", "POST", f"{_CONSULTATION}/answer", _X, Reception, ("expert",)),
    Exposed("experts.decline", "POST", f"{_CONSULTATION}/decline", _X, Reception, ("expert",)),
    Exposed("experts.ask_back", "POST", f"{_CONSULTATION}/ask-back", _X, Reception, ("expert",)),
    Exposed("experts.explain", "POST", f"{_CONSULTATION}/explain", _M, Consultation, ("user",)),
    Exposed("experts.withdraw", "POST", f"{_CONSULTATION}/withdraw", _M, Consultation, ("user",)),
    Exposed("people.get", "GET", "/people", _M, Clone),
    Exposed("people.name", "POST", "/people", _O, Clone),
    Exposed("people.erase", "DELETE", "/people/{user}", _O, ErasedCounts),
    Exposed(
        "databases.list",
        "GET",
        "/databases",
        _M,
        tuple[DatabaseEntry, ...],
        shown=without_addresses,
    ),
    Exposed("databases.add", "POST", "/databases", _O, DatabaseEntry, shown=without_address),
    Exposed(
        "databases.upload",
        "POST",
        "/databases/files",
        _O,
        DatabaseEntry,
        takes_file=True,
        shown=without_address,
    ),
    Exposed("databases.test", "POST", "/databases/test", _O, tuple[str, ...]),
    Exposed("databases.check", "GET", "/databases/{name}/check", _O, tuple[Drift, ...]),
    Exposed("databases.remove", "DELETE", "/databases/{name}", _O, None),
    Exposed("databases.schema", "GET", "/databases/{name}/schema", _M, DatabaseSchema),
    Exposed("databases.introspect", "POST", "/databases/{name}/introspect", _O, DatabaseSchema),
    Exposed("databases.link_keys", "POST", "/keys-between-tables", _O, tuple[InferredKey, ...]),
    Exposed("databases.confirm_key", "POST", "/databases/{name}/confirm-key", _X, DatabaseSchema),
    Exposed("databases.reject_key", "POST", "/databases/{name}/reject-key", _X, ForeignKey),
    Exposed("databases.describe", "POST", "/databases/{name}/describe", _X, DatabaseSchema),
    Exposed("databases.disclose", "POST", "/databases/{name}/disclose", _O, DatabaseSchema),
    Exposed("documents.list", "GET", "/documents", _X, tuple[Document, ...]),
    Exposed("documents.get", "GET", "/documents/{name}", _X, Document),
    Exposed("documents.passages", "GET", "/documents/{name}/passages", _X, tuple[Passage, ...]),
    Exposed(
        "documents.add",
        "POST",
        "/documents",
        _X,
        tuple[IngestedDocument, ...],
        ("user",),
        hidden=("watch",),
    ),
    Exposed(
        "documents.upload",
        "POST",
        "/documents/files",
        _X,
        tuple[IngestedDocument, ...],
        ("user",),
        takes_file=True,
    ),
    Exposed(
        "documents.refresh",
        "POST",
        "/documents/refresh",
        _X,
        tuple[IngestedDocument, ...],
        hidden=("watch",),
    ),
    Exposed("documents.remove", "DELETE", "/documents/{name}", _O, tuple[Document, ...]),
    Exposed("saved.list", "GET", "/saved", _M, tuple[SavedQuestion, ...], ("user",)),
    Exposed("saved.add", "POST", "/saved", _M, SavedQuestion, ("user",), own="episode_id"),
    Exposed("saved.get", "GET", _SAVED, _M, SavedQuestion, ("user",)),
    Exposed("saved.answers", "GET", f"{_SAVED}/answers", _M, tuple[SavedAnswer, ...], ("user",)),
    Exposed("saved.run", "POST", f"{_SAVED}/run", _M, SavedQuestion, ("user",)),
    Exposed("saved.change", "POST", _SAVED, _M, SavedQuestion, ("user",)),
    Exposed("saved.remove", "DELETE", _SAVED, _M, None, ("user",)),
    Exposed("saved.schedule", "POST", f"{_SAVED}/schedule", _M, SavedQuestion, ("user",)),
    Exposed("saved.secret", "GET", f"{_SAVED}/secret", _M, str, ("user",)),
    Exposed("saved.deliveries", "GET", f"{_SAVED}/deliveries", _M, tuple[Delivery, ...], ("user",)),
    Exposed("saved.share", "POST", f"{_SAVED}/share", _O, Issued, ("user",)),
    Exposed("saved.unshare", "DELETE", f"{_SAVED}/share", _O, None, ("user",)),
    Exposed("boards.list", "GET", "/boards", _M, tuple[Board, ...]),
    Exposed("boards.get", "GET", _BOARD, _M, SeenBoard, ("user",)),
    Exposed("boards.put", "POST", _BOARD, _M, SeenBoard, ("user",)),
    Exposed("boards.run", "POST", f"{_BOARD}/run", _M, SeenBoard, ("user",)),
    Exposed("boards.remove", "DELETE", _BOARD, _M, None, ("user",)),
    Exposed("settings.get", "GET", "/settings", _O, Settings),
    Exposed("settings.change", "POST", "/settings", _O, Settings),
    Exposed("documents.stats", "GET", "/document-stats", _X, DocumentStats),
    Exposed("documents.standing", "GET", "/passages", _X, tuple[PassageStanding, ...]),
    Exposed("documents.votes", "GET", "/passages/{chunk}/votes", _X, tuple[PassageVote, ...]),
    Exposed("documents.reset", "POST", "/passages/reset", _O, Memory, ("rater",)),
    Exposed("access.members", "GET", "/members", _O, dict[str, Role]),
    Exposed("access.let_in", "POST", "/members/{user}", _O, None),
    Exposed("access.shut_out", "DELETE", "/members/{user}", _O, None),
    Exposed("access.issue_key", "POST", "/keys", _M, Issued, ("user",)),
    Exposed("access.share", "POST", "/shares", _O, Issued, ("user",)),
    Exposed("access.invite", "POST", "/invites/{user}", Role.ADMIN, Issued),
    Exposed("access.accounts", "GET", "/accounts", Role.ADMIN, tuple[Account, ...]),
    Exposed("access.add_account", "POST", "/accounts", Role.ADMIN, Account),
    Exposed("access.close_account", "DELETE", "/accounts/{user}", Role.ADMIN, None),
    Exposed("access.clones", "GET", "/clones", Role.ADMIN, tuple[str, ...]),
    Exposed("access.add_clone", "POST", "/clones", Role.ADMIN, Clone),
    Exposed("access.keys", "GET", "/keys", _O, tuple[Credential, ...]),
    Exposed("access.revoke", "DELETE", "/keys/{credential_id}", _O, None),
    Exposed("access.audit", "GET", "/audit", _O, tuple[AuditEntry, ...]),
)
"""Every method that can be called over the network."""

_GROUPS: Mapping[str, type] = {
    "": AsyncOldhand,
    "access": AsyncAccess,
    "boards": AsyncBoards,
    "databases": Catalog,
    "documents": AsyncDocuments,
    "episodes": AsyncEpisodes,
    "experts": AsyncExperts,
    "memories": AsyncMemories,
    "people": AsyncPeople,
    "prompts": AsyncPrompts,
    "rules": AsyncRules,
    "saved": AsyncSaved,
    "settings": AsyncSettings,
}


GROUPS = tuple(name for name in _GROUPS if name)
"""The groups of an assistant that can be called over the network."""


def class_of(one: Exposed) -> type:
    """The class that has the method."""
    return _GROUPS[one.group]


def method_of(one: Exposed, old: AsyncOldhand) -> Callable[..., object]:
    """The method of an assistant."""
    return getattr(getattr(old, one.group) if one.group else old, one.name)


def parameters_of(one: Exposed) -> list[Parameter]:
    """What a caller gives: all but who that is."""
    given = signature(getattr(class_of(one), one.name)).parameters.values()
    left_out = {"self", *one.hidden, *(name for name in one.as_caller if name != CONTEXT)}
    return [each for each in given if each.name not in left_out]
