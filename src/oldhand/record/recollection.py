"""Exactly what was recalled for an episode; without it nothing can be credited."""

from typing import Literal

from pydantic import Field

from oldhand.record.base import Record, is_none

SAME = "same"
"""The shadow of a lesson without which the answer would have been the same."""


class Recalled(Record):
    """One item that was considered for a prompt."""

    kind: Literal["memory", "chunk", "prompt", "evaluation", "model"]
    item_id: str
    rank: int = Field(ge=1)
    score: float
    shown: bool
    chance: float = Field(gt=0, le=1)
    """The probability with which it was to be shown, fixed before the draw."""
    used: bool | None = None
    """Whether the answer rests on it; None when that can't be told, as with a language model."""
    shadow: str | None = Field(default=None, exclude_if=is_none)
    """What the opposite draw would have answered: `SAME`, or a digest of its rows; None when nobody looked."""
    boost: float | None = Field(default=None, exclude_if=is_none)
    """Of a passage: what feedback added to its `score`, which is how well it fits by itself; None for other things."""
    place: int | None = Field(default=None, exclude_if=is_none)
    """Of a passage: its rank before feedback had a say; None for other things, and where that was not recorded."""
    cosine: float | None = Field(default=None, exclude_if=is_none)
    """Of a passage: how near it is to the question by its meaning; None without an embedder, as with `place`."""


class Recollection(Record):
    """All that was recalled in one episode, in the order it was considered."""

    episode_id: str
    items: tuple[Recalled, ...] = ()
