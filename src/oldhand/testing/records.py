"""Ready-made records for tests: believable, complete, and easy to vary."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from oldhand.record.answer import Answer, FailedAttempt, Outcome, QueryStep
from oldhand.record.clone import DEFAULT_CLONE
from oldhand.record.document import Anchor, FoundPassage, Passage
from oldhand.record.episode import Episode, messages_of
from oldhand.record.evaluation import Evaluation
from oldhand.record.feedback import Feedback, Source
from oldhand.record.memory import Memory, MemoryType, Provenance
from oldhand.record.schema import Column, DatabaseSchema, Kind, Table
from oldhand.record.usage import LedgerEntry, Usage

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

PAYLOADS: dict[MemoryType, dict[str, object]] = {
    MemoryType.EPISODIC: {
        "session_id": "session-123",
        "user_text": "How many customers live in Berlin?",
        "assistant_text": "42 customers live in Berlin.",
        "model_used": "builtin",
    },
    MemoryType.REFLECTION: {
        "episode_id": "7599436d",
        "user_text": "How many customers live in Berlin?",
        "assistant_text": "42 customers live in Berlin.",
        "reflection": "The city was matched by name; customers who moved were counted twice.",
        "learnings": {"rules": ["Count customers by id, not by address"]},
    },
    MemoryType.SEMANTIC: {"rule": "Revenue never includes cancelled orders"},
    MemoryType.PROMPT: {"version": "v2", "text": "Answer in one sentence."},
    MemoryType.CHECKLIST: {"step": "Look at the units before comparing distances"},
    MemoryType.PREFERENCE: {"key": "currency", "value": "EUR"},
    MemoryType.BUG_FIX: {
        "failure": "Summed prices in two currencies",
        "root_cause": "The currency column was overlooked",
        "fix": "Group by currency",
    },
    MemoryType.ISSUE: {"evaluator_type": "SQLValidator", "issue": "The join has no condition"},
    MemoryType.EXAMPLE: {
        "question": "How many clients do we have?",
        "database": "shop",
        "sql": "SELECT COUNT(*) FROM customers",
        "confirmed_by": "ana",
    },
}
"""A payload of each type."""


def example_episode(episode_id: str = "episode-1", **changes: object) -> Episode:
    """An answered question with one repaired query.

    Args:
        episode_id: its id, also in the answer.
        changes: fields of the episode to set; those of `Answer` go into the answer.

    >>> example_episode("e-1", user_id="ana", text="None.").answer.text
    'None.'
    """
    session_id = str(changes.pop("session_id", "session-1"))
    answer = example_answer(episode_id, session_id)
    said = {name: changes.pop(name) for name in list(changes) if name in Answer.model_fields}
    answer = Answer.model_validate({**dict(answer), **said})
    fields: dict[str, object] = {
        "id": episode_id,
        "clone_id": DEFAULT_CLONE,
        "user_id": "ana",
        "session_id": session_id,
        "created_at": NOON,
        "messages": messages_of(answer),
        "tools_used": ("sql",),
        "answer": answer,
        "ledger": (
            LedgerEntry(
                stage="generate_sql",
                model="openai:gpt-4o",
                usage=Usage(requests=1, input_tokens=900, output_tokens=60, cost=0.002),
                seconds=0.8,
                at=NOON + timedelta(seconds=1),
            ),
        ),
        "tags": ("geography",),
    }
    return Episode.model_validate({**fields, **changes})


def example_answer(episode_id: str, session_id: str) -> Answer:
    """How many customers live in Berlin; 42, at the second attempt."""
    return Answer(
        episode_id=episode_id,
        question="How many customers live in Berlin?",
        outcome=Outcome.ANSWERED,
        text="42 customers live in Berlin.",
        columns=("city", "count"),
        rows=(("Berlin", 42), ("Köln", None), ("Łódź", 2.5), ("Paris", True)),
        confidence=0.9,
        notes=("“live in” was read as customers.city",),
        steps=(
            QueryStep(
                number=1,
                purpose="Count the customers in Berlin",
                database="shop",
                sql="SELECT COUNT(*) FROM customers WHERE city = 'Berlin'",
                attempts=2,
                failures=(
                    FailedAttempt(sql="DELETE FROM customers", error="It would change data."),
                ),
                refused=1,
                columns=("city", "count"),
                row_count=4,
                seconds=0.01,
            ),
        ),
        usage=Usage(requests=1, input_tokens=900, output_tokens=60, cost=0.002),
        model="openai:gpt-4o",
        seconds=0.743,
        session_id=session_id,
    )


def example_feedback(feedback_id: str, rating: int | None, **changes: object) -> Feedback:
    """A thumb of ana, the owner, on `episode-1`.

    >>> example_feedback("f-1", -1, source="external").source.value
    'external'
    """
    fields: dict[str, object] = {
        "id": feedback_id,
        "clone_id": DEFAULT_CLONE,
        "episode_id": "episode-1",
        "rater": "ana",
        "source": Source.OWNER,
        "created_at": NOON + timedelta(minutes=1),
        "rating": rating,
    }
    return Feedback.model_validate({**fields, **changes})


def example_evaluation(evaluation_id: str = "v-1", **changes: object) -> Evaluation:
    """What a judge of SQL found wrong with a step.

    >>> example_evaluation(step_number=2).issues
    ('Degrees as metres',)
    """
    fields: dict[str, object] = {
        "id": evaluation_id,
        "evaluator_type": "sqlvalidator",
        "granularity": "step",
        "policy_model": "gpt-4",
        "task_type": "spatial_qa",
        "query_idx": 1,
        "score": 0.7,
        "is_valid": False,
        "issues": ("Degrees as metres",),
        "sql_query": "SELECT 1",
        "created_at": NOON,
    }
    return Evaluation.model_validate({**fields, **changes})


def example_memory(
    memory_id: str = "memory-1", kind: MemoryType = MemoryType.PREFERENCE, **changes: object
) -> Memory:
    """A memory of ana's, of any type.

    >>> example_memory(kind=MemoryType.SEMANTIC).payload.rule
    'Revenue never includes cancelled orders'
    """
    fields: dict[str, object] = {
        "type": kind,
        "id": memory_id,
        "user_id": "ana",
        "created_at": NOON,
        "confidence": 0.8,
        "tags": ("money",),
        "summary": "Something that was learned",
        "provenance": Provenance(source=Source.OWNER, rater="ana", episode_ids=("episode-1",)),
        "payload": PAYLOADS[kind],
    }
    return Memory.model_validate({**fields, **changes})


def example_schema(name: str = "shop") -> DatabaseSchema:
    """A small shop in SQLite: customers, addresses, orders that refer to both, and products with their lines.

    >>> [table.name for table in example_schema().tables]
    ['customers', 'addresses', 'orders', 'products', 'lines']
    """

    def table(table_name: str, *columns: str) -> Table:
        made = tuple(
            Column(name=column, type=kind.value.upper(), kind=kind, primary_key=column == "id")
            for column, _, kind_name in (one.partition(" ") for one in columns)
            for kind in (Kind(kind_name or "integer"),)
        )
        return Table(name=table_name, schema_name="main", columns=made)

    return DatabaseSchema(
        name=name,
        dialect="sqlite",
        tables=(
            table("customers", "id", "name text", "city text", "tier text"),
            table("addresses", "id", "street text", "country text"),
            table(
                "orders", "id", "customer_id", "billing_id", "shipping_id", "status text", "total number",
                "ordered_at date", "deleted",
            ),
            table("products", "id", "name text"),
            table("lines", "id", "order_id", "product_id", "quantity"),
        ),
    )  # fmt: skip


# Passages as the search gives them, for tests that need no store.
def found_passage(
    text: str, *, rank: int = 1, document: str = "handbook", **anchor: object
) -> FoundPassage:
    """A passage as the search would give it.

    >>> found_passage("Dogs are chipped.", line=3).passage.anchor.says
    'line 3'
    """
    passage = passage_of(document, rank - 1, text, Anchor.model_validate(anchor))
    return FoundPassage(
        passage=passage, document=document, rank=rank, base=1 / rank, score=1 / rank
    )


def passage_of(document: str, place: int, text: str, anchor: Anchor) -> Passage:
    """A passage with the hash that it has by its text."""
    told = "\n".join((*anchor.heading[-1:], text))
    chunk = sha256(told.encode()).hexdigest()[:32]
    return Passage(chunk=chunk, document_id=document, position=place, text=text, anchor=anchor)
