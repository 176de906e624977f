"""What is proposed where it is not certain how a question is meant: the likeliest reading, with its parts in words."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.conversation.understood import UnderstoodQuestion
from oldhand.lexicon.tokens import tokenise
from oldhand.query.describing.describing import describe, describe_part, tied
from oldhand.query.describing.nouns import noun
from oldhand.query.form import Compound, Join, Node, Query
from oldhand.query.opaque import Opaque
from oldhand.query.parts import own_parts
from oldhand.query.provenance import Origin
from oldhand.record.answer import Proposal, ReadPart
from oldhand.record.schema import DatabaseSchema

_NUMBERED = {"limit": "the first {}", "offset": "after the first {}", "distinct": "each row once"}


def proposal_of(reading: UnderstoodQuestion, schemas: Sequence[DatabaseSchema]) -> Proposal:
    """The first candidate of a reading, to be agreed to."""
    best = reading.candidates[0]
    if isinstance(best.query, Opaque):
        return Proposal(reading=best.reading, left_out=reading.missing)
    parts = tuple(_parts(reading, best.query, schemas))
    return Proposal(reading=describe(best.query, schemas), parts=parts, left_out=reading.missing)


def _parts(
    reading: UnderstoodQuestion, query: Query, schemas: Sequence[DatabaseSchema]
) -> Iterator[ReadPart]:
    best = reading.candidates[0]
    for part in own_parts(query):
        origin = best.origins.origin(part)
        yield ReadPart(
            kind=part.kind,
            says=said_part(part.kind, part.node, schemas),
            words=words_of(reading.question, origin),
        )


def said_part(kind: str, node: Node | int, schemas: Sequence[DatabaseSchema]) -> str:
    """A part of a query in words, numbers included.

    >>> said_part("limit", 3, ())
    'the first 3'
    """
    if isinstance(node, int):
        return _NUMBERED[kind].format(node)
    if isinstance(node, Compound | Query):
        return "a second query"
    if isinstance(node, Join) and node.outer:
        return f"{tied(node, schemas)}, those without {noun(node.right)} included"
    return describe_part(node, schemas)  # pyright: ignore[reportArgumentType] - of the sorts that parts have


def words_of(question: str, origin: Origin | None) -> str:
    """The words of a question that a part comes from.

    >>> words_of("How many gold customers?", Origin((0, 1)))
    'How many'
    """
    tokens = tokenise(question)
    return (
        " ".join(tokens[place].text for place in origin.words if place < len(tokens))
        if origin
        else ""
    )
