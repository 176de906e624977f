"""What is counted, added up or left out, against what the words ask for."""

from oldhand.agent.analyst.candidates.conditions import is_plain, single
from oldhand.agent.analyst.candidates.rates import rate_at
from oldhand.agent.analyst.candidates.yes_no import asks_of_all
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.links import bits, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.query.form import Comparison, Count, Has, Query, Scalar, Share
from oldhand.query.walk import attribute, function_of, is_measure

_PIECES = word_stems("money.pieces")
_JOINING = words("function_words.joining")


def things_counted(one: Hypothesis) -> int:
    """`How many members`, where a table is called so: their levels of membership are not added up.

    Pieces are: `How many products have been sold` asks for their quantities.
    """
    asked = one.asked
    if all(set(entry.forms[0]) & _PIECES for entry in one.measured("sum")):
        return 0
    mask = 0
    for cue in asked.links.cues_of("count"):
        things = [m for m in asked.tables_after(cue.span.end, 3) if m.best.score >= 0.95]
        several = [m.span.end for m in things if asked.word(m.span.end - 1).endswith("s")]
        end = min(several, default=len(asked.links.tokens))  # `how many parts cost …` counts parts
        columns = asked.columns_after(cue.span.end, 3)
        named = any(m.best.score >= 0.95 and m.span.start < end for m in columns)
        many = asked.word(cue.span.start + 1) == "many"
        mask |= cue.span.mask if things and not named and many else 0
    return mask


def amount_not_counted(one: Hypothesis) -> int:
    """`How much have customers paid`, where only rows are counted."""
    counted = [term for term in one.query.select if isinstance(term, Count)]
    return one.cues("how_much") if counted else 0


def rate_is_a_share(one: Hypothesis) -> int:
    """`The highest no-show rate` by a price, which is a rate elsewhere: the value before says what it is a share of."""
    place = rate_at(one.asked)
    said = place is not None and any(v.span.end == place + 1 for v in one.asked.links.values)
    shares = any(isinstance(term, Share) for term in one.query.select)
    return 2 << place if place is not None and said and not shares else 0


def second_thing_counted_too(one: Hypothesis) -> int:
    """`The number of stores and customers`, `how many pay and how many don't`, where only one number is worked out."""
    asked = one.asked
    if sum(function_of(t) == "count" or attribute(t) is None for t in one.query.select) > 1:
        return 0
    many = [c for c in asked.links.cues_of("count") if asked.word(c.span.end - 1) == "many"]
    mask = spans(many[1:]) if sum(map(is_measure, one.query.select)) < len(many) else 0
    for cue in asked.links.cues_of("count"):
        first = next(asked.tables_after(cue.span.end, 1), None)
        if first is not None and asked.word(first.span.end) == "and":
            second = next(asked.tables_after(first.span.end + 1, 0), None)
            mask |= second.span.mask if second is not None else 0
    return mask


def number_of_them_shown(one: Hypothesis) -> int:
    """`Each type with the number of apartments, sorted by that number`, where only the types are shown."""
    asked, query = one.asked, one.query
    if any(is_measure(t) for t in query.select) or query.having or query.limit is not None:
        return 0
    if any(entry.numeric for entry in asked.entries(query.select)):
        return 0
    beside = {"with", "and"}
    return spans(
        cue
        for cue in asked.links.cues_of("count")
        if beside & set(asked.words(cue.span.start - 2, cue.span.start))
        and asked.cue_before(cue.span.start, 4, "order", "by") is None
    )


def both_kinds_told(one: Hypothesis) -> int:
    """`Flights from Rome to Oslo` by what is in Rome and also in Oslo: nothing says that it is both."""
    asked, second = one.asked, one.query.compound
    if second is None or second.kind != "intersect" or asked.links.cues_of("both"):
        return 0
    here, there = _values(one.query), _values(second.second)
    texts = [(v.span, value) for v in asked.links.values for o in v.options for value in o.values]
    said = [*texts, *((n.span, n.value) for n in asked.links.numbers)]
    first = {span for span, value in said if value in here - there}
    other = {span for span, value in said if value in there - here}
    pairs = [(min(a.end, b.end), max(a.start, b.start)) for a in first for b in other]
    told = any(_JOINING & set(asked.words(*pair)) for pair in pairs)
    return bits(span.mask for span in first | other) if pairs and not told else 0


def _values(query: Query) -> set[Scalar]:
    """What the rows of a query are compared with."""
    return {v for c in single(query.where) if isinstance(c, Comparison) for v in c.values}


def both_are_answered_to(one: Hypothesis) -> int:
    """`Museums that both lend and borrow` by all of them: two things are said, and no two are looked for."""
    query = one.query
    shared = any(isinstance(each, Has) for each in one.conditions)
    told = shared or query.compound is not None or len(query.select) + len(query.group) > 1
    several = told or len(one.conditions) + len(query.having) > 1 or len(query.rows.joins) > 1
    cues = one.asked.links.cues_of("both")
    return 0 if several else spans(c for c in cues if one.asked.word(c.span.start) == "both")


def all_of_them_checked(one: Hypothesis) -> int:
    """`Are all orders paid`: rows that are found don't answer it."""
    return asks_of_all(one.asked)


def exclusion_of_things_not_rows(one: Hypothesis) -> int:
    """`Customers who ordered in 2024 but not in 2025`: each order is of one day, the customers are the ones meant."""
    asked = one.asked
    several = sum(entry.temporal for entry in one.compared()) > 1
    edges = asked.edges(one.query.rows)
    for entry in one.compared("not within", "not between"):
        many = any(e.left == entry.table and e.right in one.shown for e in edges)
        if many or several:
            return one.cues("not")
    return 0


def exclusion_leaves_something_out(one: Hypothesis) -> int:
    """`Sick leave but no vacation` of single rows: none that is the one is the other; `none but those with two orders`, of those without any."""
    both = [c for c in one.query.where if isinstance(c, Comparison | Has)]
    equal = [c.left for c in both if c.operator in ("=", "in")]
    vain = any(c.left in equal for c in both if c.operator in ("!=", "not in") and is_plain(c))
    start = min((cue.span.end for cue in one.asked.links.cues_of("not")), default=0)
    things = [m for m in one.asked.links.tables if m.span.start >= start]
    whole = any(isinstance(c, Has) and c.none and not c.rows.having for c in both)
    vain = vain or bool(start and len(things) == 1 and whole and one.query.having)
    return one.cues("not") if vain else 0
