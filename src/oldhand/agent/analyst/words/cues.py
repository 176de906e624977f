"""Words that tell the form of a query: counting, averages, superlatives, comparison, negation."""

import re
from collections.abc import Sequence

from oldhand.agent.analyst.words.links import Cue, Span
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.tokens import Token
from oldhand.lexicon.wordlists import adjective_of, word_lists

ORDINALS = {word: int(number) for word, number in meanings("numbers.ordinal").items()}
"""Words for a place in an order."""
_NUMBER = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)"

_END = r"(?: (?:high|low|big|large|small|long|short|late|early|young|recent|many|few|most|least)(?= |$))?"
"""The other end of an order, as in `from low to high`."""

_BEFORE_ORDERS = [
    "est",
    "average",
    "mean",
    "typical",
    "per",
    "each",
    "every",
    "single",
    "first",
    "last",
    "our",
    "their",
    "new",
    "open",
]
_TO_ORDER = "".join(f"(?<!{word} )" for word in _BEFORE_ORDERS) + "order"
"""`order` as a verb; behind these words it is a thing: the largest order by value."""

_SHARES = ["percentage", "percent", "%", "proportion", "share", "fraction"]
_OF_EACH = "".join(f"(?<!{word} )" for word in _SHARES) + "of each"
"""Behind a share, `of` belongs to that: percentage of each team's games."""

_BY = "(?:when it comes to|in terms of|by|in|for)(?: the)?"
_LEADING = r"(?:leads|is ahead|is on top|comes out on top|tops the list|ranks (?:first|highest)|(?:has|holds) the record)"
_TRAILING = r"(?:trails|ranks (?:last|lowest))"

_OF_WHAT = r"(?:(?: \w+){1,2}(?= first(?: [.?!,;]|$)))?"
_FIRST = rf"(?!(?:{'|'.join(words('sorting.no_superlatives'))}) )(?:\w+est{_OF_WHAT}|(?:most|best|worst)(?: \w+)?) first"
"""The end with which an order begins: `slowest first`, `most expensive first`, `highest fare first`."""
_UPWARDS = "(?:(?:low|small|short|few|earli|cheap|young|light|quick|fast|soon|near|clos|weak)est|(?:least|worst)(?: \\w+)?)"
"""The lower end of what is measured."""

_MORE = "more|above|greater|higher|older|longer|larger|over"
_LESS = "less|fewer|below|lower|younger|shorter|smaller|under"
_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("ordinal", "", rf"(?:the )?(?:{'|'.join(ORDINALS)}|\d+ (?:st|nd|rd|th))(?= (?:\w+est|most|least|worst)(?: |$))"),
    # comparison with the average
    ("than_average", "", r"(?:more|higher|greater|larger|bigger|older|longer|taller|better|heavier) (?:\w+ ){0,2}than (?:the |their |its )?(?:overall )?(?:average|mean|avg)"),
    ("than_average", "<", r"(?:less|lower|fewer|smaller|younger|shorter|cheaper|lighter) (?:\w+ ){0,2}than (?:the |their |its )?(?:overall )?(?:average|mean|avg)"),
    ("than_average", "", r"(?:above|over|exceed(?:s|ing)?|exceeded) (?:the |their |its )?(?:overall )?(?:average|mean)"),
    ("than_average", "<", r"(?:below|under) (?:the |their |its )?(?:overall )?(?:average|mean)"),
    # counting superlatives
    ("most_count", "", rf"(?:{_LEADING}|(?:is|comes) first) {_BY} (?:number|count) of"),
    ("most_count", "asc", rf"(?:{_TRAILING}|(?:is|comes) last) {_BY} (?:number|count) of"),
    ("superlative", "most", rf"{_LEADING} {_BY}"),
    ("superlative", "-most", rf"{_TRAILING} {_BY}"),
    ("most_count", "", r"(?:the )?(?:most|maximum|largest|highest|greatest|biggest|max) (?:number|numbers|amount|count|quantity)(?: of)?"),
    ("most_count", "asc", r"(?:the )?(?:fewest|least|minimum|smallest|lowest|min) (?:number|numbers|amount|count|quantity)(?: of)?"),
    ("most_common", "", r"(?:the )?(?:most|more) (?:common(?:ly)?|frequent(?:ly)?|often|popular|prevalent|used)(?: used| occurring)?"),
    ("most_common", "asc", r"(?:the )?(?:least|less) (?:common(?:ly)?|frequent(?:ly)?|often|popular|prevalent|used)(?: used| occurring)?"),
    # counting, aggregates
    ("count", "", r"how many|(?:total )?number of|(?:total )?counts? of|^count(?: up)?(?: all)?(?: of)?(?: the)?(?: number of)?|count the(?: number of)?|(?:its|their|the) counts?(?! of)|(?<=\w )counts?(?= (?:(?:per|by|(?:for|in|at) (?:each|every)) |[?.]|$)|$)|how (?:large|big|high) (?:is|was) the (?:number|group|set) of|(?:the )?size of the (?:group|set) of|(?:(?:a|the) )?(?:breakdown|distribution|split) of(?: the)?(?= .* (?:by|per|across) )"),
    ("how_much", "", r"how much(?: money)?"),
    ("avg", "", r"how (?:big|large|high|great) (?:is|are|was|were) (?:(?:an?|the|our|their) )?(?:average|typical|mean)|(?:on )?averages?|avg|mean(?= )(?! by)|typical"),
    ("sum", "", r"(?:the )?(?:total|combined|overall|aggregate)(?! number| count)|altogether|sums?(?: total)?(?: of)?|totall?ing|(?:add|sum|total)(?:s|ing|ed)? up to"),
    ("median", "", r"medians?"),
    ("stddev", "", r"(?:the )?standard deviations?|std ?dev|stddev"),
    ("max", "", r"maximum|max|maximal"),
    ("min", "", r"minimum|min|minimal"),
    ("share", "", rf"(?:how many )?(?:{'|'.join(_SHARES)}) of|how (?:large|big|great|high|small) an? (?:{'|'.join(_SHARES)}) of"),
    ("share", "part", r"(?:what|how (?:large|big|great|high|small) an?) (?:part|portion) of"),
    ("share", "", r"(?:as|in) (?:an? )?(?:percentages?|percent|shares?)(?: of (?:the |all )?(?:total|whole|them))?(?!\w)"),
    ("beyond", "", r"percentage|(?<!\d )percent|proportion|share of|fraction|ratio|difference|growth|running(?= (?:total|sum|count|average|number))|cumulative(?:ly)?|moving(?= average)|rolling|(?:month|year|quarter|week) (?:over|on) (?:month|year|quarter|week)|trend|correlation|variance|the same \w+ as"),
    # grouping
    ("per", "", r"for each|for every|per"),
    ("group", "", rf"{_OF_EACH}|in each|by each|at each|on each|from each|with each|to each|across each|under each|each|(?<!count )every|grouped by|group by|broken down by|group(?:ed)? (?:them )?by|split by|respectively|for all(?: the)? (?:different|distinct)|for different"),
    ("by", "", r"by"),
    # order
    ("order", "", rf"(?<!from )(?<!between )(?<!the )(?<!an )(?<!of )(?:(?:and|then|,) )?(?:{_TO_ORDER}|ordered|sort(?:ed)?|arrange(?:d)?|rank(?:ed)?|listed|ordering|sorting)(?: \w+){{0,3}} (?:by|in|from|according to|based on|on the basis of|on)"),
    ("order", "", rf"(?!{_UPWARDS}){_FIRST}|{_UPWARDS}{_OF_WHAT} first"),
    ("desc", "", rf"(?!{_UPWARDS}){_FIRST}"),
    ("order", "", r"in(?: an| the)? (?:ascending|descending|increasing|decreasing|alphabetical|alphabetic|lexicographical|lexicographic|chronological|reverse)(?: \w+)? order(?: of)?|in (?:the )?order of|alphabetically|chronologically"),
    ("asc", "", rf"ascending|increasing|alphabetical|alphabetically|alphabetic|lexicographical|lexicographic|chronological|chronologically|asc|low(?:est)? to high(?:est)?|from (?:the )?(?:youngest|oldest|smallest|lowest|shortest|earliest|low|least|small|early|short|young|few)(?: \w+)? to{_END}|a to z"),
    ("desc", "", rf"descending|decreasing|reverse|desc|high(?:est)? to low(?:est)?|from (?:the )?(?:largest|highest|biggest|longest|latest|most recent|high|most|large|newest|big|late|long|recent|many)(?: \w+)? to{_END}|z to a"),
    # comparison
    (">=", "", r"at least|no less than|no fewer than|not less than|not fewer than|(?:a )?minimum of|greater than or equal to|more than or equal to|as many as|>=|≥"),
    ("<=", "", r"at most|no more than|not more than|no greater than|(?:a )?maximum of|up to|less than or equal to|fewer than or equal to|<=|≤"),
    ("or_more", "", rf"or (?:{_MORE}|later|after|newer)(?! than| \d)|(?<=\d )and (?:{_MORE}|up)(?! than| \d| ones)|onwards?|and (?:later|after)(?= |$)(?! \d)"),
    ("or_less", "", rf"or (?:{_LESS}|earlier|before)(?! than| \d)|(?<=\d )and (?:{_LESS}|down)(?! than| \d| ones)"),
    ("between", "", r"between|in the range(?: of)?|ranging from|range from"),
    (">", "", r"(?:more|greater|larger|higher|bigger|better|further|above|over|longer|older|taller|heavier|later|faster|bigger|newer) than|exceed(?:s|ing|ed)?|greater|above|over|after|later than|since|more expensive than|beyond|starting from|from|>"),
    ("<", "", rf"(?:(?:is|are|was|were) not|(?:isn|aren|wasn|weren) t)(?: yet(?= {_NUMBER}\b)|(?= {_NUMBER} (?:years? old )?yet\b))"),
    ("<", "", r"(?:less|fewer|lower|smaller|below|under|shorter|younger|lighter|cheaper|earlier|slower|worse) than|below|under|before|earlier than|prior to|until|<"),
    # negation
    ("not", "", r"(?:but|and) none(?! of)|out of(?= stock)|(?:do|does|did|is|are|was|were|has|have|had|can|could|will) (?:not|n t)|(?:don|doesn|didn|isn|aren|wasn|weren|hasn|haven|hadn|can|couldn|won) t|not(?! only)|never|without(?: any)?|no|none of|neither|nor|excluding|except(?: for)?|other than|besides|lack(?:s|ing)?|but not|nobody|nothing|!=|<>|≠"),
    ("distinct", "", r"distinct|different|diff|unique|differing|distinctive|various"),
    ("both", "", r"both|as well as|and also|but also|at the same time|in common|shared by|share"),
    ("or", "", r"either|or"),
    ("and", "", r"and"),
    ("null", "", r"missing|unknown|null|empty|blank|undefined|not (?:known|set|given|recorded|available|specified)"),
    ("starts", "", r"(?:start|starts|starting|begin|begins|beginning|started) with(?: the)?(?: letters?| words?| prefix| string)?|has the prefix|prefix"),
    ("ends", "", r"(?:end|ends|ending|ended) (?:with|in)(?: the)?(?: letters?| words?| suffix)?|suffix"),
    ("contains", "", r"contain(?:s|ing|ed)?(?: the)?(?: words?| letters?| substring| string| phrase| text)?|includ(?:e|es|ing|ed)(?: the)? (?:words?|letters?|substring|string|phrase|text)|(?:has|have|having|with) the (?:words?|letters?|substring|string|phrase)(?: of)?|substring|(?:the )?words?|like|mention(?:s|ing)?"),
    ("top", "", rf"(?:the )?(?:top|first|last|bottom)(?= {_NUMBER}\b)|top"),
    ("what", "", r"what|which|show|list|give|find|return|tell|display|report|provide|state|count|compute|calculate"),
    ("relative", "", r"who|whom|whose|that|which|where|when|with|having"),
    ("all", "", r"all (?:the )?(?:information|info|details|data|columns|fields|attributes)|everything|(?:all|full) records?|(?:the )?details of"),
)  # fmt: skip

_COMPILED = tuple(
    (kind, argument, re.compile(rf"(?<![^ ])(?:{pattern})(?![^ ])"))
    for kind, argument, pattern in _PATTERNS
)
_EXCLUSIVE = frozenset(
    {
        "share",
        "order",
        "than_average",
        "most_count",
        "most_common",
        "superlative",
        ">=",
        "<=",
        "or_more",
        "or_less",
    }
)
"""Kinds whose words are not read again as another cue."""
_NOT_SUPERLATIVE = words("sorting.no_superlatives")


def find_cues(tokens: Sequence[Token]) -> tuple[Cue, ...]:
    """The cues of a question in their order.

    >>> from oldhand.lexicon.tokens import tokenise
    >>> [cue.kind for cue in find_cues(tokenise("How many cities have at least 3 shops?"))]
    ['count', '>=']
    """
    text, starts = _joined(tokens)
    found: list[Cue] = []
    taken = 0
    for kind, argument, pattern in _COMPILED:
        for match in pattern.finditer(text):
            span = Span(starts[match.start()], starts[match.start()] + match.group().count(" ") + 1)
            if span.mask & taken and kind not in ("asc", "desc", "and"):
                continue
            found.append(Cue(kind, span, argument))
            if kind in _EXCLUSIVE:
                taken |= span.mask
    found.extend(_superlatives(tokens, taken))
    return tuple(sorted(found, key=lambda cue: (cue.span.start, -cue.span.end, cue.kind)))


def _joined(tokens: Sequence[Token]) -> tuple[str, dict[int, int]]:
    """The words with single spaces, and at which token each word starts."""
    starts: dict[int, int] = {}
    parts: list[str] = []
    length = 0
    for number, token in enumerate(tokens):
        word = "\x00" if token.quoted else token.lower
        starts[length] = number
        parts.append(word)
        length += len(word) + 1
    return " ".join(parts), starts


def _superlatives(tokens: Sequence[Token], taken: int) -> list[Cue]:
    """`oldest`, `most expensive`, `least`: the argument is the adjective and the direction."""
    measures = word_lists().measures
    found: list[Cue] = []
    for number, token in enumerate(tokens):
        if token.quoted or taken >> number & 1:
            continue
        following = tokens[number + 1].lower if number + 1 < len(tokens) else ""
        word = token.lower
        if word in ("most", "least", "fewest"):
            down = "" if word == "most" else "-"
            plain = following.removesuffix("ly")
            known = plain if plain in measures and plain != "last" and word != "fewest" else ""
            end = number + 2 if known else number + 1
            found.append(Cue("superlative", Span(number, end), f"{down}{known or 'most'}"))
        elif _is_superlative(word, following) and not _lasting(tokens, number):
            found.append(Cue("superlative", Span(number, number + 1), adjective_of(word) or word))
    return found


def _lasting(tokens: Sequence[Token], number: int) -> bool:
    """True for the verb of `how long do visits last`."""
    said = [token.lower for token in tokens[: number + 1]]
    return said[-1] == "last" and said[:2] == ["how", "long"] and said[-2] not in ("the", "in")


def _is_superlative(word: str, following: str) -> bool:
    if word in ("last", "first"):
        return not _counted(following) and following != "and"
    ends = word.endswith("est") and len(word) > 4 and word not in _NOT_SUPERLATIVE
    return ends or word in ("best", "worst")


def _counted(word: str) -> bool:
    return word in ("name", "names", "letter", "letters") or bool(re.fullmatch(_NUMBER, word))
