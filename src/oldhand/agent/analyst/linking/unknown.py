"""Words of a question that nothing in the databases answers to."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

from oldhand.agent.analyst.linking.compounds import as_one_word, strange_compounds
from oldhand.agent.analyst.words.links import Links, bits, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token, word_stems
from oldhand.lexicon.wordlists import adjective_of, word_lists
from oldhand.record.schema import Column, Kind

_PARTS = words("time.units")
_HOUSES = words("people.houses")
_OUR = words("function_words.whole")
_AT_HAND, _NOW = words("states.at_hand"), words("states.now")
_WITHIN = words("places.prepositions")
_RATES = words("asking.rates")
_UNDOING, _DOING = word_stems("verbs.undoing"), words("verbs.do")
_STATES = words("states.going_on") | words("states.to_be_done") | words("states.over")
_REACHED = words("states.reached")
_BEING = words("verbs.be") | words("states.by_now")
_AFTER_DEEDS = words("states.after_deeds")
_TELLING = words("function_words.telling_more")
_RELATIVE = words("function_words.relative")
_BEFORE_VERBS = words("verbs.before_deeds")
_SIZES, _STEPS = words("names.of_amounts"), words("names.of_steps")
_PLAIN_TIMES = words("time.plain") | words("time.units")
_CALLED = 0.9
"""How well a column must be named for a number after it to be one of its values."""
_THING = 0.5
"""How well a table must be named to be what something is done to."""
_NEAR = 4
"""Words from a verb to what it is done to."""


def unknown_words(links: Links, words: Vocabulary, used: int = 0) -> tuple[Token, ...]:
    """Words with content that neither the schemas nor the values nor general English explain.

    Args:
        links: what the words were found to be.
        words: those of the schemas.
        used: further tokens that are understood, as bits.
    """
    known = (
        used
        | relating(links, words)
        | newcomers(links)
        | says_nothing(links)
        | amounts_of(links, words)
        | spans((*links.tables, *links.columns))
    )
    known |= spans((*links.values, *links.numbers, *links.dates, *links.cues))
    known |= bits(end.used for end in links.ends)
    tokens = (token for place, token in enumerate(links.tokens) if not known >> place & 1)
    left = (token for token in tokens if token.number is None and not is_general(token))
    unknown = [token for token in left if not (words.hits(token.stem) or words.hits(token.lower))]
    strange = (one.places for one in strange_compounds(links))
    places = [*chain.from_iterable(strange), *_rated(links, words)]
    found = {at for at, token in enumerate(links.tokens) if token in unknown}
    found |= {at for at in places if not used >> at & 1}
    # Of an unknown rate, only what it is a rate of is unknown.
    return tuple(links.tokens[at] for at in sorted(found) if at - 1 not in found or links.tokens[at].lower not in _RATES)  # fmt: skip


def _rated(links: Links, words: Vocabulary) -> Iterator[int]:
    """The places of words that nothing is called, before `rate`: what that is a rate of is not known then."""
    known = spans((*links.tables, *links.columns, *links.values, *links.dates, *links.cues))
    for place, (token, after) in enumerate(pairwise(links.tokens)):
        strange = token.is_word and token.number is None and not (known >> place & 1 or words.hits(token.stem))  # fmt: skip
        narrows = token.lower not in STOP_WORDS and not token.lower.endswith("ly") and adjective_of(token.lower) is None  # fmt: skip
        if after.lower in _RATES and strange and narrows:
            yield place


def but_strange_rates(links: Links, words: Vocabulary) -> Links:
    """The links without prices that only the `rate` of something unknown names: a completion rate is no fee."""
    links = as_one_word(links)
    behind = {place + 1 for place in _rated(links, words)} | {one.end for one in strange_compounds(links)}  # fmt: skip
    kept = (m for m in links.columns if not (m.span.start in behind and m.span.end == m.span.start + 1 and links.tokens[m.span.start].lower in _RATES))  # fmt: skip
    return replace(links, columns=tuple(kept)) if behind else links


def relating(links: Links, words: Vocabulary) -> int:
    """The tokens of `affected` in `storms that affected regions`: a verb between things that one key joins says no more than it does.

    A verb that nobody knows is read so only where it is no word of an end (`returned`, `left`), and where what it is
    done to is a thing or a value: of a time alone (`who left in 2014`) it may say anything.
    """
    things = [m for m in links.tables if m.best.score >= _THING]
    sure = (v for v in links.values if len(v.options) == 1)
    objects = {*(m.span.start for m in things), *(v.span.start for v in sure)}
    objects |= {*_plain_times(links, words), *_numbered(links)}
    amounts = list(_own_amounts(links, words))
    ends = {m.span.end for m in things}
    said = [token.lower for token in links.tokens]
    mask = 0
    for place, token in enumerate(links.tokens):
        verb = token.is_word and token.number is None and not token.lower.endswith("ly")
        if not verb or token.stem in _UNDOING or token.lower in _STATES or place == 0:
            continue
        flagged = (words.columns[h.column] for h in words.hits(token.stem) if h.column >= 0)
        if any(entry.is_flag for entry in flagged):
            continue  # `damaged` says that damage was found
        asked_for = said[place - 2] == "what"  # the `zip` of `what is zip code` does nothing
        subject = (
            said[place - 1] in _BEFORE_VERBS and place > 1 and not asked_for
        ) or place in ends
        done = any(place < start <= place + _NEAR for start in objects) and place + 1 not in objects
        near = (start for start in amounts if place < start <= place + _NEAR)
        done = done or any(_TELLING.isdisjoint(said[place:start]) for start in near)
        done = done or (said[place - 1] in _RELATIVE and place + 1 in objects)
        # `What did it cost` asks for what the verb says, `how many projects did they do` for projects.
        done_by = place in ends and not _DOING.isdisjoint(said[1:place])
        asking = done_by and said[0] != "what" and said[place + 1 :] in ([], ["?"])
        if asking or (subject and done):
            mask |= 1 << place
    pairs = ((one.best.id, two.best.id) for one, two in pairwise(things))
    return 0 if any(len(words.joins.between(*pair)) > 1 for pair in pairs) else mask


def _own_amounts(links: Links, words: Vocabulary) -> Iterator[int]:
    """The places of the amounts of things before: the visitors of `shows that drew more visitors than average`."""
    for mention in links.columns:
        entry = words.columns[mention.best.id]
        before = [m.best.id for m in links.tables if m.span.end < mention.span.start]
        if mention.best.score >= _CALLED and entry.measures and entry.table in before[-1:]:
            yield mention.span.start


def _numbered(links: Links) -> Iterator[int]:
    """The places of columns that are named with one of their values: `classroom 103`."""
    ends = {v.span.start for v in (*links.numbers, *links.values)}
    for mention in links.columns:
        if mention.best.score >= _CALLED and mention.span.end in ends:
            yield mention.span.start


def _plain_times(links: Links, words: Vocabulary) -> Iterator[int]:
    """The places of times, where all that the thing has of which they are told is a `year`: whatever it did, or was done with it, was then."""
    for date in links.dates:
        before = [m for m in links.tables if m.span.end <= date.span.start]
        for mention in {*links.tables[:1], *before[-1:]}:
            entries = map(words.columns.__getitem__, words.tables[mention.best.id].columns)
            times = [e for e in entries if e.temporal or e.words & _PLAIN_TIMES]
            if len(times) == 1 and set(times[0].forms[0]) <= _PLAIN_TIMES:
                yield date.span.start


def amounts_of(links: Links, words: Vocabulary) -> int:
    """The tokens of `size` in `memory size`, and of `medals` in `gold medals`: what the numbers of a column are of.

    Groups that are made of numbers, as in `age groups`, are more than these.
    """
    mask = 0
    for mention in links.columns:
        end = mention.span.end
        token = links.tokens[end] if end < len(links.tokens) else None
        entry = words.columns[mention.best.id]
        if token is None or not entry.measures or token.stem in _STEPS or token.lower in _STEPS:
            continue
        counted = token.lower.endswith("s") and entry.unit is None and _is_counted(entry.column)
        mask |= 1 << end if token.lower in _SIZES or counted else 0
    return mask


def _is_counted(column: Column) -> bool:
    """True for numbers without fractions, as far as is known."""
    seen = (column.profile.low, column.profile.high) if column.profile is not None else ()
    whole = bool(seen) and all(isinstance(n, int | float) and n == int(n) for n in seen)
    return column.kind is Kind.INTEGER or whole


def newcomers(links: Links) -> int:
    """The tokens of `new` in `new customers`: those whose first day falls into a time that is named."""
    starts = {mention.span.start for mention in links.tables}
    return sum(
        1 << place
        for place, token in enumerate(links.tokens)
        if token.lower == "new" and place + 1 in starts
    )


def says_nothing(links: Links) -> int:
    """The tokens of `company` in `at the company`, and of `available` in `available at`: what narrows nothing."""
    said = ["", "", *(token.lower for token in links.tokens), ""]
    return told_in_brackets(links) | sum(
        1 << place
        for place, (two, one, word, after) in enumerate(
            zip(said, said[1:], said[2:], said[3:], strict=False)
        )
        if word in _NOW
        or (word in _AT_HAND and after in _WITHIN)
        or (word in _HOUSES and one in _OUR | _WITHIN and (two in _WITHIN or one != "the"))
    )


def told_in_brackets(links: Links) -> int:
    """The tokens of `completed` in `completed (D) bookings` and `completed bookings (status D)`: a value in brackets says what it means."""
    known = spans((*links.values, *links.numbers, *links.dates, *links.cues))
    things = {m.span.end: m.span.start for m in links.tables if m.best.score >= _CALLED}
    mask = 0
    for value in links.values:
        first, last = links.tokens[value.span.start], links.tokens[value.span.end - 1]
        if not links.question[first.start : last.end].isupper():
            continue  # of `overdue customers (Berlin)` the brackets narrow further
        opening = links.question.rfind("(", 0, first.start)
        if opening < 0 or ")" in links.question[opening : first.start]:
            continue
        end = sum(token.end <= opening for token in links.tokens)
        place = things.get(end, end) - 1
        # `how many packers (PCK)` counts them: the brackets say which ones, and not of what.
        counted = any(cue.span.end == place for cue in links.cues_of("count"))
        named = end in things or any(m.span.start == value.span.end for m in links.tables)
        mask |= 1 << place if place >= 0 and (named or not counted) else 0
    return mask & ~known


def but_explained(links: Links) -> Links:
    """The links without what a word may half name that a value in brackets explains."""
    told = told_in_brackets(links)
    kept = (m for m in links.columns if m.best.score >= _CALLED or not m.span.mask & told)
    return replace(links, columns=tuple(kept)) if told else links


def in_states(links: Links) -> int:
    """The tokens of `completed` in `completed bookings` and `were completed`, which is true of some of them only.

    Whoever `completed a course` did something, and what was `delivered by` somebody tells who did it.
    """
    things = [m.span for m in links.tables if m.best.score >= _THING]
    starts, ends = {span.start for span in things}, {span.end for span in things}
    said = ["", *(token.lower for token in links.tokens), ""]
    return sum(
        1 << place
        for place, (one, word, after) in enumerate(zip(said, said[1:], said[2:], strict=False))
        if word in _REACHED
        and (
            (place + 1 in starts and place not in ends)
            or (
                one in _BEING
                and after != "by"
                and (after in ("", "?", ".") or after in _AFTER_DEEDS)
            )
        )
    )


def is_general(token: Token) -> bool:
    """True for words that narrow nothing by themselves, and for signs between words."""
    lists = word_lists()
    return (
        not (token.is_word or token.lower[0] in "<>≤≥≠" or token.lower == "!=")
        or token.lower in STOP_WORDS
        or token.lower in _PARTS
        or lists.is_filler(token.lower)
        or adjective_of(token.lower) is not None
    )
