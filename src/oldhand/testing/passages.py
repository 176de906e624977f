"""Passages as the search gives them, for tests that need no store."""

from hashlib import sha256

from oldhand.record.document import Anchor, FoundPassage, Passage


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
