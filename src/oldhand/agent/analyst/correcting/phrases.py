"""What corrections in words look like, and which change each of them asks for."""

import re
from collections.abc import Callable, Iterator

from oldhand.agent.analyst.conversation import editing
from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.correcting import (  # fmt: skip
    exchanging,
    grouping,
    reshaping,
    restricting,
    rewording,
    weaving,
    widening,
)
from oldhand.agent.analyst.stating.leaving import RowsSaid, rows_said, without_longer
from oldhand.lexicon import entries
from oldhand.lexicon.tokens import NUMBER_WORDS
from oldhand.query.form import Query

_OPENING = re.compile(
    r"^(?:(?:no+(?=[,.;:!]|-(?!\w))|nope|wrong|well|but|sorry|hm+|actually|please|i think|sure|not (?:quite|right|correct)|(?:that|this|it)(?:'s| is| was)? (?:is )?(?:wrong|not (?:quite )?right|incorrect|not correct))\b[\s,.:;!-]+)+",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"^(?:(?:(?:that is|it'?s|you (?:took|used|have|had|picked|chose)) )?(?:the )?wrong \w+(?: \w+)?[:;,] "
    r"|(?:that|this|it)(?:'s| is| was) [^,;.]+[,;.] (?:but )?(?=i (?:\w+ )?(?:want|need|meant|asked)))",
    re.IGNORECASE,
)
"""That names what is wrong, before it is said what is right."""
_WISHING = re.compile(
    r"^(?:(?:it|this|that|they|you|we|i|the (?:answer|query|result|number|question))\s+)?(?P<only>(?:only|just)\s+)?(?:(?:should|must|ought to|need(?:s|ed)? to|has to|have to|had to|was supposed to|were supposed to|were to)\s+(?:really |rather |actually )?(?:have )?|(?:want(?:ed)?|meant?|need(?:ed)?|asked)\s+(?:for |to (?:see|know|have) )?|would (?:like|prefer) |can you |could you )(?:been |be )?",
    re.IGNORECASE,
)
_DAY_OF = re.compile(
    r"\b(?:(?:the )?(?:date|day|moment)s?(?: on which| at which| when| that)?|when) "
    r"(?:they|it|these|those|each(?: one)?) (?:was|were|is|are|got|gets|get|had been|has been|have been) (?P<deed>\w+)",
    re.IGNORECASE,
)
"""The date of a deed in a sentence of its own: `when they were booked`."""
_THAT_OF = re.compile(
    r"^(?P<lead>.*?)\b(?:the |its )?(?P<what>\w+(?: \w+)?) (?:is|are|should be|must be|has to be|have to be|ought to be) (?:that|those|the ones?) of\b",
    re.IGNORECASE,
)
"""Whose column is meant: `the city should be that of the site`."""
_COLUMN = re.compile(r"\b(?:the |its |their )?(?:column|field) (?:called |named )?(?=[a-z]\w*(?:\.\w+)?$)", re.IGNORECASE)  # fmt: skip
"""That a name which follows is the very one: `the column cap_kg`."""
_GOING_BY = re.compile(r"\b(?:go|goes|going) by\b", re.IGNORECASE)
"""That something is used; rows that `go` are left out."""
_MEANT = re.compile(r"\b(?:i|we) (?:really |actually )?(?:mean|meant)\b", re.IGNORECASE)
_ADDRESSING = re.compile(r"^(?:you|it|this|that|the (?:answer|query|result))\s+(?:have |has |had |also )*", re.IGNORECASE)  # fmt: skip
_IN_ALL = "|".join(one.replace("-", " ") for one in sorted(entries.words("correcting.overall")))
OVERALL = rf"(?>(?:{_IN_ALL})(?: (?:for|of|over) (?:all|everything|everyone|everybody)(?: of them| together)?)?)"
"""One figure for all rows."""
_NUMBER = r"(?:\d+|" + "|".join(NUMBER_WORDS) + ")"
_COUNTING = r"(?:count|include|show|use|consider|take|contain|list|want|look at|have|add)"


def changes(words: str, scene: Scene) -> Iterator[tuple[Query, ...]]:
    """What a correction may mean, the likeliest first: queries between which it does not decide."""
    said_so = wordings(words)
    rows = rows_said(said_so[0]) if said_so else None
    if rows is not None:
        yield from (_wanted(scene, rows.rows, wants_in=one) for one in rows.wants)
    if _MEANT.search(words):
        yield from (restricting.meant(scene, said) for said in sorted(said_so, key=len))
    for said in sorted(said_so, key=len):
        for pattern, change in _RULES:
            if rows is not None and not _may_follow(rows, change):
                continue
            if found := pattern.search(said):
                named = {name: rest.strip() for name, rest in found.groupdict(default="").items()}
                yield change(scene, **named)
                if change is reshaping.turned:
                    return  # `the other way round` names no rounds
                if change is exchanging.exchanged:
                    # What else its words may say would leave the `not` out.
                    yield restricting.only(scene, said)
                    yield rewording.narrowed(scene, re.sub(r"^(?:only|just) ", "", said))
                    break


def is_so_already(words: str, scene: Scene) -> str:
    """What a correction that changes nothing wants of rows that are in already, or out; empty where it wants no such thing."""
    rows = rows_said(next(iter(wordings(words)), ""))
    if rows is None or not restricting.are_read(scene, rows.rows):
        return ""
    said = "has {} in it" if True in rows.wants else "leaves {} out"
    return f"The answer {said.format(repr(rows.rows))} already." if rows.wants else ""


def _wanted(scene: Scene, rows: str, *, wants_in: bool) -> tuple[Query, ...]:
    if wants_in:
        return restricting.including(scene, rows)
    return restricting.without(scene, rows) or reshaping.hidden(scene, rows)


def _may_follow(rows: RowsSaid, change: "_Change") -> bool:
    """Whether words that want rows in or out may mean another change: `count each once`, `show the type as well`."""
    return change in (reshaping.once, grouping.ungrouped, exchanging.dated) or (
        rows.is_open and change not in _NARROWING
    )


def wordings(words: str) -> tuple[str, ...]:
    """A correction as it was put, and without what only says that it is one.

    >>> wordings("No, it should only count the paid ones.")
    ('it should only count the paid ones', 'only count the paid ones', 'should only count the paid ones')
    >>> wordings("It should go by when they were booked")[1]
    'use the booked date'
    """
    flat = without_longer(" ".join(words.replace("\u2019", "'").split()).strip(' .!?"'))
    flat = _COLUMN.sub("", flat)
    flat = _THAT_OF.sub(r"\g<lead>use the \g<what> of", flat)
    flat = _GOING_BY.sub("use", _DAY_OF.sub(r"the \g<deed> date", flat))
    flat = re.sub(r",(?= (?:too|as well|also|instead)\b)", "", flat)
    flat = re.sub(
        r",? (?:is |was )?(?:what )?(?:i|we) (?:mean|meant|want|wanted|asked for)$",
        "",
        flat,
        flags=re.IGNORECASE,
    )
    flat = re.sub(r",? (?:please|thanks|thank you|instead)$", "", flat, flags=re.IGNORECASE)
    plain = _OPENING.sub("", _NAMING.sub("", flat))
    asked = _OPENING.sub("", _WISHING.sub(lambda m: m["only"] or "", plain))
    told = _ADDRESSING.sub("", plain)
    return tuple(dict.fromkeys(one for one in (plain, asked, told) if one))


_Change = Callable[..., tuple[Query, ...]]


def _as_followed(change: Callable[..., Query | None]) -> _Change:
    """A change of follow-ups, which is one query or none."""

    def made(scene: Scene, **said: str) -> tuple[Query, ...]:
        query = change(scene, **{name: text.casefold() for name, text in said.items()})
        return (query,) if query is not None else ()

    return made


_RULES: tuple[tuple[re.Pattern[str], _Change], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), change)
    for pattern, change in (
        (r"^(?:(?:just|exactly|quite) )?(?:the )?(?:other way (?:a)?round|reversed?|opposite|contrary|other end)(?: order)?(?: of (?:that|it|this))?$", reshaping.turned),
        # Rows that are others.
        (r"^(?:all|any|every)(?:thing|one|body|where)?(?: \w+)? (?:but|except)(?: for)? (?P<rest>.+)$", restricting.others),
        (r"^(?:only |just )?(?:those |the ones |ones )?(?:outside|elsewhere than)(?: of)? (?P<rest>.+)$", restricting.others),
        # One figure in place of groups.
        (rf"^(?:{OVERALL}|)[,;]? ?(?:and |but )?(?:(?:not|no|without|instead of)(?: a| the)? (?:by|per|for each|for every|split(?:ting)?(?: by| into)?|group(?:ing|ed)?(?: by)?|break(?:down|ing)?(?: down)?(?: by)?) ?(?:the |their )?(?P<by>[\w ]*))?$", grouping.ungrouped),
        (r"^(?:(?:split|break|broken|show|count|list)\w*(?: (?:it|them|that|down|up))* )?(?:(?:separate(?:ly)?|apart|by|into|for) )+(?P<of>[\w ]+)$|^(?P<values>[\w ]+?) (?:separate(?:ly)?|apart)$", grouping.apart),
        # What is counted, or listed.
        (r"^(?:just |only )?(?:count(?: them| those| these)?|how many(?: (?:are|is|were) (?:there|that|they|it|those))?|the (?:number|count)(?: of (?:them|those))?)(?P<rest>)$", _as_followed(editing.counted)),
        (r"^(?:just |only )?(?:(?:list|show|name|give)(?: me)?(?: them| those| (?:the|their) names?| the list)?|(?:which|(?P<who>who))(?: ones?| of them)?(?: (?:are|is|were) (?:they|those|that))?|(?:the |their |with )?names?)$", reshaping.listed),
        (r"^how many of (?:them|those|these) (?P<rest>.+)$", restricting.only),
        (r"^(?:how many|count|(?:the )?number of)(?: (?:the|all|their|its))?(?P<apart> (?:different|distinct|unique|individual|separate))? (?P<what>[\w ]+?)(?: (?:there|that) (?:are|is|were))?$", weaving.counted),
        (r"^(?:not (?:only|just) .+?[,;]? but )?(?:(?:in|for|from|of|over|at|show|count|use|include|take) )*(?:the |all )?(?:whole|entire)(?: of(?: the)?)? (?P<unit>year|quarter|month)\b(?: of)?(?: \d{4})?(?:[,;]? not (?:only|just) .+)?$", widening.lengthened),
        # What stands in the place of something else.
        (r"^(?:(?:use|take|show|by|per|for each|mean|meant|with) )*(?:the |its |their )?(?P<what>\w+(?: \w+)?) of (?:the |its |their |an? )?(?P<of>[\w ]+)$", exchanging.owned),
        (r"^(?:(?:use|take|show|by|per|for each|mean|meant|with) )*(?:the |its |their )?(?P<of>[\w ]+?)'s? (?P<what>\w+(?: \w+)?)$", exchanging.owned),
        (r"^(?:you |it )?(?:used|took|counted|counts|showed|shows|uses|takes|summed|sums|(?:grouped|groups|sorted|filtered|went|goes|is|was) (?:by|on|for)) (?P<old>.+?)[,;]? (?:and |but )?(?:not|instead of|rather than) (?P<new>.+)$", exchanging.exchanged),
        (r"^not (?:the |by |for |in |from )*(?P<old>.+?),? but (?:rather )?(?P<new>.+)$", exchanging.exchanged),
        (r"^not (?P<old>[^,;]+)[,;] (?:but )?(?P<new>.+)$", exchanging.exchanged),
        (r"^(?P<new>.+?)(?<!\b(?:is|do))(?<!\b(?:are|was|did|has|can))(?<!\b(?:were|does|have))[,;:]? (?:and |but |- )?(?:not|instead of|rather than|in place of) (?P<old>.+)$", exchanging.exchanged),
        (r"^(?:instead of|in place of) (?P<old>.+?),? (?:use |take |show |count |by )?(?P<new>[^,]+)$", exchanging.exchanged),
        (r"^(?:replace|exchange|swap|change) (?P<old>.+?) (?:with|by|for|to|into) (?P<new>.+)$", exchanging.exchanged),
        (r"^or (?P<rest>.+)$", restricting.including),
        # How many rows.
        (rf"^(?:(?:show|list|give me|only|just|the) )*(?P<which>top|first|last|bottom) (?P<n>{_NUMBER})\b[\w ]*$", _as_followed(editing.first_rows)),
        (rf"^(?:(?:show|list|give me|only|just|the) )*(?P<n>{_NUMBER})(?: rows| ones| of (?:them|those|these))?$", reshaping.few),
        (r"^not (?:only|just) (?P<only>.+)$|^(?:(?:in|for|from|of|over|at|show|count|use|include|take) )*(?:all|any|every)(?: the)? (?P<what>[\w ]+)$|^(?:regardless of|no matter) (?:the |which |what )*(?P<which>[\w ]+)$", widening.regardless),
        # Rows of which alone it is, or columns.
        (r"^(?:only|just) (?:show |list )?(?:the |their )?(?P<what>[\w, ]+)$|^(?:the )?(?P<before>[\w, ]+) (?:only|alone|suffices?|(?:is|are) (?:enough|sufficient))$", reshaping.alone),
        (rf"^(?:{_COUNTING} )?(?:only|just) (?:{_COUNTING} )?(?:those |the ones |ones |the )?(?P<rest>.+)$", restricting.only),
        (r"^(?P<rest>.+?) (?:only|alone)$", restricting.only),
        (r"^(?:(?:the )?(?:ones|those|one) )?(?P<rest>(?:that|which|who) (?!was|is\b).+)$", restricting.only),
        (r"^not (?P<rest>[\w ]+)$", restricting.without),
        (r"^(?:limit(?:ed)?|restrict(?:ed)?|filter(?:ed)?|narrow(?:ed)?)(?: it| this| that| them)?(?: down)? (?:to|by|for|on) (?:only )?(?P<rest>.+)$", restricting.only),
        (r"\bforgot (?:to (?:filter|restrict|limit)(?: it)?(?: (?:by|for|on|to))?|the (?:filter|condition)(?: (?:on|for))?) (?P<rest>.+)$", restricting.only),
        (r"^(?:only|just) (?P<rest>.+)$", rewording.narrowed),
        (r"^(?:(?:only|just|those|the|ones|that|which|who|were|are|have|has) )*(?:(?:never|not) (?:been )?\w+(?: yet| before| at all)?|(?:nobody|no one) (?:has |have |ever )*\w+(?: yet)?)$", restricting.undone),
        # What a piece of a question names.
        (r"^(?:.* )?(?:by|use|take|mean|on) (?:the |their )?(?P<new>[\w ]+?)(?: instead)?$|^(?:the )?(?P<day>[\w ]+)$", exchanging.dated),
        (r"^(?!.*\b(?:sort|order|rank|arrang)\w*\b)(?:[\w']+ ){0,5}?(?:by|per|for each|for every|for all) (?:the |their |each )?(?P<by>[\w' ]+)$|^(?:[a-z]+ )?(?P<each>daily|monthly|quarterly|yearly)(?: [a-z]+)?$", grouping.grouped),
        (r"^(?!in )(?:(?:and|also|plus|add|with|show|list|display|give|include|(?:i |we )?need|tell|put|me|in) )+(?:the |their |its )?(?P<what>[\w' ]+?)(?: too| as well| also| in addition)?$", weaving.added),
        (r"^(?:the |an? )?(?P<what>[\w' ]+?)(?: too| as well| also| in addition)$", weaving.added),
        (r"^(?!.* (?:first|last)$)(?!(?:all|any|every) )(?:(?:show|list|give|compute|calculate|use|take|want|need|me) )*(?:the |an? )?(?P<what>[\w ]+)$", weaving.measured),
        (r"^(?:(?:show|list|give|count|want|need|meant|me|only|just|about) )*(?:the |all )?(?P<rest>[\w ]+)$", weaving.other),
        # How it is put together.
        (r"^(?:show |give |count |express |put )?(?:it |them |that |this )?(?:measured |expressed |counted )?in (?P<unit>[a-z]+)$", reshaping.in_units),
        (r"^(?:sort(?:ed)? |order(?:ed)? |list(?:ed)? )?(?:them )?(?P<words>(?:in )?(?:reverse )?alphabetical(?:ly)?(?: order)?(?: reversed?| backwards?| from the end| (?:but )?the other way (?:a)?round)?|by the alphabet|(?:from )?[az] to [az]|reverse order)$", _as_followed(editing.alphabetical)),
        (r"^(?:show |list |take |use )?(?:the )?(?P<est>\w+est|most|least)(?: (?!first\b)\w+)?(?: ones?)?(?: instead)?$", reshaping.superlative),
        (r"^(?:(?:show|list|give|take|use|only|just|me|the) )*(?!.* (?:first|on top|at the top)$)(?P<what>(?:[\w']+ ){0,5}?(?:\w+est|most|least|top|best|bottom|worst)\b[\w', ]*)$", weaving.ranked),
        (r"\b(?:each|every|any|the same)\b(?P<what>.*?)\b(?:only )?once\b", reshaping.once),
        (r"\b(?:distinct|unique|different|duplicates?|twice|more than once|doubles|several times|deduplicated?)\b(?P<what>.*)$", reshaping.once),
        (r"^(?:(?:put|show|list|sort|with|have) )*(?:the )?(?P<first>[\w ]+?)(?: ones?)?(?: (?:should|must|has to|goes|comes|go|come|to)(?: (?:be|come|go|stand))?)? (?:first|(?:at|on|to)(?: the)? top)$", reshaping.ahead),
        (r"^(?:in )?(?P<way>ascending|descending)(?: order)?$|^(?:(?:put|show|list|sort|with) )*(?:the )?(?P<first>[\w ]+?)(?: ones?)? (?:first|on top|at the top)$", reshaping.directed),
        (r"\b(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)\b.*? by (?:the |their )?(?P<by>[\w ]+?)(?:,? (?P<way>(?:in )?(?:desc|asc)\w*(?: order)?|(?:the )?(?:\w+est|most|least|new|old|high|low|large|small) (?:\w+ )?first))?$", _as_followed(editing.ordered_by)),
        # What it goes by.
        (r"^(?:use|take|go by|based on|according to|refer to|look at|consider|count|measured? by|(?P<by>by|with))(?: the)? (?P<new>.+?)(?: instead)?$", exchanging.used),
        (r"^(?!(?:by|per|with) )(?P<new>[\w'. ]+)$", exchanging.used),
        (r"^(?:the )?(?P<name>[\w ]+?) (?:should|must) (?:be|have been) (?P<rest>.+)$", restricting.named),
        (r"^(?:be |been )?(?P<rest>.+?)(?: instead)?$", restricting.instead),
    )
)  # fmt: skip
"""What a correction looks like, and what it does to the query; named groups are arguments."""
_NARROWING = frozenset(
    {restricting.only, restricting.instead, restricting.named, rewording.narrowed}
)
