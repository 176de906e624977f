"""Which part of a question says what is asked for, and which part narrows it."""

from collections.abc import Sequence
from functools import cached_property

from oldhand.agent.analyst.words.links import Cue, Mention, bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import Token
from oldhand.lexicon.wording import is_past_form

SELECT, FILTER, GROUP, ORDER = "SFGO"
_NARROWS = words("function_words.narrowing")
_BE = words("verbs.be")
_OPENING = 2
"""Words that open a question, and name nothing yet: `how many`."""
_ASKS = words("asking.showing")
_ENDS = (".", "?", "!", ";")
_NAMED = 0.5
"""How well a name is said at least that is one of several."""
_WHICH, _OF_THEM = ("which", "what"), words("asking.of_them")
_AGAIN = (("along", "with"), ("together", "with"), ("as", "well"), ("with", "their"), ("with", "its"), ("and", "their"), ("and", "its"), ("and", "what"), ("and", "how"), ("and", "show"), ("and", "list"), ("and", "give"), ("and", "find"), ("and", "return"), ("and", "also"))  # fmt: skip


def find_regions(
    tokens: Sequence[Token],
    cues: Sequence[Cue],
    things: Sequence[Mention],
    columns: Sequence[Mention],
) -> str:
    """One letter for each token: S asked for, F narrowing, G group, O order.

    Args:
        tokens: the words of the question.
        cues: words that tell the form of the query.
        things: mentions of tables.
        columns: mentions of columns.

    >>> from oldhand.lexicon.tokens import tokenise
    >>> tokens = tokenise("Show all names sorted by age")
    >>> find_regions(tokens, [], [], [])
    'SSSSSS'
    """
    names = (*things, *columns)
    inside = bits(one.span.mask & one.span.mask << 1 for one in names)
    behind = bits(1 << one.span.end for one in names) & ~inside
    starts = {_begins(cue): cue for cue in cues if cue.kind in ("per", "group", "order")}
    named = (spans(names), spans(things), behind)
    own = {one.span.start: one.span.end for one in columns if one.best.score >= _NAMED}
    reader = _Reader(tokens, starts, named, _verb_after_which(tokens, things), own)
    return "".join(reader.region(i) for i in range(len(tokens)))


def _begins(cue: Cue) -> int:
    """Where the region of a cue begins: what `sort the customers by` names is asked for."""
    at_head = cue.kind == "order" and cue.span.start == 0
    return cue.span.end - 1 if at_head else cue.span.start


def _verb_after_which(tokens: Sequence[Token], things: Sequence[Mention]) -> int:
    """Where the verb of `Which products cost …` stands, or that of `how many clients complained` where it names a table; -1 when the question is not of that form."""
    asking = [token.lower for token in tokens[:2]]
    if asking == ["how", "many"]:
        ends = {mention.span.end for mention in things if mention.span.start == len(asking)}
        deeds = (mention.span.start for mention in things if mention.span.start in ends)
        return next((deed for deed in deeds if is_past_form(tokens[deed].lower)), -1)
    if not tokens or tokens[0].lower not in ("which", "what"):
        return -1
    for mention in things:
        end = mention.span.end
        plural = tokens[end - 1].lower.endswith("s") or tokens[end - 1].lower in ("people", "staff")
        if 1 <= mention.span.start <= 3 and plural and end < len(tokens):
            follows = tokens[end].lower
            return -1 if follows in ("s", "and", "of", ",") else end
    return -1


class _Reader:
    """Reads from left to right and changes the region at certain words."""

    def __init__(
        self,
        tokens: Sequence[Token],
        starts: dict[int, Cue],
        named: tuple[int, int, int],
        verb: int,
        columns: dict[int, int],
    ) -> None:
        self._tokens = tokens
        self._starts = starts
        self._named, self._things, self._behind = named
        self._verb = verb
        self._columns = columns
        """Where the names of columns begin, and end."""
        self._region = SELECT
        self._before = SELECT
        self._owned = False
        """True after a lone `each`: what follows may be something of each thing."""
        self._seen = False
        """True once the part that is asked for has named something."""
        self._who = bool(tokens) and tokens[0].lower == "who"
        opening = [token.lower for token in tokens[:2]]
        narrows = ("in", "among", "of", "on", "during", "from", "since")
        if (
            opening
            and opening[0] in narrows
            and opening[1:] not in (["which"], ["what"], ["average"])
        ):
            self._region = FILTER

    def region(self, i: int) -> str:
        """The region of token `i`; call it for each token in order."""
        word = self._tokens[i].lower
        following = self._tokens[i + 1].lower if i + 1 < len(self._tokens) else ""
        cue = self._starts.get(i)
        if (i == self._verb or (i == 1 and self._who)) and self._region == SELECT:
            self._region = FILTER
        if not self._tokens[i].is_word:
            self._at_mark(word, following)
        elif cue is not None and not self._tokens[i].quoted:
            self._at_cue(cue, i)
        elif word == "s" and self._region == GROUP and self._owned and self._things >> (i - 1) & 1:
            self._region = self._before  # `show each customer's city`
        elif (word, following) in _AGAIN or self._asks_again(i) or self._lists_along(i):
            self._region = SELECT
            self._seen = False
        elif (
            self._region == GROUP
            and word in _NARROWS | _ASKS | {"and"}
            and self._named >> (i - 1) & 1
        ):
            self._region = SELECT if word in _ASKS else FILTER if word != "and" else self._before
            self._seen = word not in _ASKS
        elif self._region == SELECT and ((self._seen and self._narrows(i)) or self._tells_deed(i)):
            self._region = FILTER
        if self._region == SELECT and self._named >> i & 1:
            self._seen = True
        return self._region

    def _narrows(self, i: int) -> bool:
        """A word that opens what narrows; no verb of `are there by town`, behind which nothing but a name stands."""
        beside = {one.lower for one in self._tokens[max(i - 1, 0) : i + 2]}
        return self._tokens[i].lower in _NARROWS and not (
            "there" in beside and self._ends_in_groups
        )

    def _asks_again(self, i: int) -> bool:
        """The second `which` of `which town belongs to which county`, with nothing but a name behind it."""
        said = [one.lower for one in self._tokens]
        rest = range(i + 1, len(said) - (said[-1] in ("?", ".")))
        asks = i > 0 and said[i] in _WHICH and said[0] in (*_WHICH, "who")
        if asks and said[i - 1] in ("and", ",") and not _OF_THEM.isdisjoint(said[i:]):
            return True  # `and which street are they in`
        return asks and bool(rest) and all(self._named >> place & 1 for place in rest)

    def _lists_along(self, i: int) -> bool:
        """`With surname and town`: several columns, and no condition on them, are to be seen beside the things."""
        if self._tokens[i].lower != "with":
            return False
        place, listed = i + 1, 0
        while (end := self._columns.get(place)) is not None:
            place, listed = end, listed + 1
            rest = [token.lower for token in self._tokens[place : place + 2]]
            if rest[:1] not in (["and"], [","]):
                ends = not rest or rest[0] in _ENDS or rest[0] in _NARROWS or place in self._starts
                return listed > 1 and ends
            place += 1 + (rest == [",", "and"])
        return False

    @cached_property
    def _ends_in_groups(self) -> bool:
        """Whether names alone stand behind a `by`: no values, and nothing that tells more of them."""
        said = [one.lower for one in self._tokens]
        start = said.index("by") + 1 if "by" in said else len(said)
        rest = range(start, len(said) - (said[-1] in ("?", ".")))
        return bool(rest) and all(
            self._named >> i & 1 or said[i] in ("and", ",", "the") for i in rest
        )

    def _tells_deed(self, i: int) -> bool:
        """A form of the past narrows right behind a name, or what nothing names: `bottles sold …`, `how many crates were delivered`."""
        if not is_past_form(self._tokens[i].lower):
            return False
        return bool(self._behind >> i & 1) or (i > _OPENING and self._tokens[i - 1].lower in _BE)

    def _at_mark(self, mark: str, following: str) -> None:
        if mark in ".?!;" or (mark == "," and following in _ASKS):
            self._region = SELECT
            self._seen = False
        elif mark == "," and self._region == GROUP:
            self._region = self._before if self._seen else SELECT
        elif mark == "," and self._region == FILTER and not self._seen:
            self._region = SELECT

    def _at_cue(self, cue: Cue, i: int) -> None:
        if cue.kind == "order":
            self._region = ORDER
        elif self._region != ORDER and cue.argument != "respectively":
            self._before = SELECT if i == 0 else self._region
            self._region = GROUP
            self._owned = cue.kind == "group" and cue.span.end == cue.span.start + 1
