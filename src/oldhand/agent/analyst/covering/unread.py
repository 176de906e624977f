"""What of a correction is not understood, and what would change though nobody asked for it."""

from dataclasses import dataclass

from oldhand.lexicon.wording import listed


@dataclass(frozen=True, slots=True)
class Unread:
    """What a correction and a changed query do not have in common."""

    words: tuple[str, ...] = ()
    """What was said and the query does not answer to."""
    parts: tuple[str, ...] = ()
    """What has changed though no word asks for it."""
    others: tuple[str, ...] = ()
    """What else of the same kind the words may mean as well."""
    is_nothing: bool = False
    """True where the query answers to none of the words."""

    def __bool__(self) -> bool:
        return bool(self.words or self.parts or self.others)

    @property
    def size(self) -> int:
        """How much it is."""
        return 3 * (len(self.words) + len(self.parts)) + len(self.others)

    @property
    def told(self) -> str:
        """All of it in a sentence or two.

        >>> Unread(("blue",), ("name of customers",)).told
        "I left out 'blue'. Nobody asked for: name of customers."
        """
        left = f"I left out {listed([repr(one) for one in self.words])}." if self.words else ""
        more = f"Nobody asked for: {listed(self.parts)}." if self.parts else ""
        also = f"It may as well be {listed(self.others, 'or')}." if self.others else ""
        return " ".join(one for one in (left, more, also) if one)
