"""`The highest`, `the best` and `the most` by something that is not meant."""

from oldhand.agent.analyst.candidates.comparing import adjective_in
from oldhand.agent.analyst.candidates.conditions import inner
from oldhand.agent.analyst.candidates.measures import measured
from oldhand.agent.analyst.candidates.worth import line_amounts
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import word_stems
from oldhand.lexicon.wording import is_past_form
from oldhand.query.form import Worth
from oldhand.query.walk import function_of, is_measure, measures

_HAVING = words("rules.having")
_MARKS = word_stems("sorting.marks")
_RELATIVE = words("function_words.relative")
_NUMBERS = ("most", "-most", "few", "-few")
"""Of superlatives, those that ask how many, or how much."""
_DEED = 3
"""Words from a thing to what it does the most of."""


def superlative_is_sorted_by(one: Hypothesis) -> int:
    """`The youngest student`, where the word only names the column of ages and nothing is sorted."""
    asked, query, links = one.asked, one.query, one.asked.links
    cues = links.cues_of("superlative")
    if not cues or query.order or query.each:
        return 0
    inside = [found for c in one.conditions if (found := inner(c)) is not None]
    terms = [*query.select, *(term for each in inside for term in each.select)]
    terms += [measure for predicate in query.where for measure in measures(predicate)]
    extreme = any(function_of(term) in ("max", "min", "avg") for term in terms)
    if extreme or any(each.order for each in inside):
        return 0
    named = (form for m in links.columns for form in asked.column(m.best.id).forms)
    own = {word for form in named for word in form}
    return spans(
        cue
        for cue in cues
        if not own & {token.stem for token in links.tokens[cue.span.start : cue.span.end]}
        and asked.cue_before(cue.span.start, 1, "order") is None
        and not any(value.span.overlaps(cue.span) for value in links.values)
    )


def first_ones_by_a_figure(one: Hypothesis) -> int:
    """`Most expensive first` by the names or keys of things, from Z to A."""
    asked, order = one.asked, one.query.order
    cues = (c for c in asked.links.cues_of("order") if asked.word(c.span.end - 1) == "first")
    by_name = any(not (entry.measures or entry.temporal) for entry in one.sorted_by)
    return spans(cues) if by_name or not order else 0


def degree_on_its_scale(one: Hypothesis) -> int:
    """`Taller than 200` of a jump, `the biggest cinema opened since 2010` by the year: of what the word does not measure."""
    asked, mask = one.asked, 0
    told = one.rests_on("duration.told")  # `been with us the longest` goes by the first day
    sorted_by = one.sorted_by if one.query.limit is not None and not told else []
    degrees = [
        (c, c.argument.removeprefix("-"), sorted_by) for c in asked.links.cues_of("superlative")
    ]
    degrees += [
        (c, adjective_in(asked, c), [e for e in one.compared(c.kind) if e.numeric])
        for c in asked.links.cues_of(">", "<")
    ]
    for cue, adjective, by in degrees:
        fitting = {option.id for option, _ in measured(asked, adjective, cue.span.start)}
        beside = [*asked.columns_after(cue.span.end, 2), *asked.columns_before(cue.span.start, 1)]
        beside = [m for m in beside if not asked.is_thing(m)]
        # `The highest paid technician` is so by pay; `the biggest cinema opened since 2010` by nothing that is called so.
        said = {
            option.id
            for mention in beside
            if asked.before_thing(mention) or not is_past_form(asked.word(mention.span.end - 1))
            for option in mention.options[:4]
        }
        if fitting and len(by) == 1 and by[0].id not in fitting | said:
            mask |= cue.span.mask
    return mask


def deed_by_all_its_rows(one: Hypothesis) -> int:
    """`The best rated movie` by a single one of its ratings, `the shop that sold the most bottles` by one sale."""
    if one.query.limit is None or one.query.group:
        return 0
    asked = one.asked
    by = asked.owners(order.by for order in one.query.order) - one.shown
    edges = asked.edges(one.query.rows)
    belonging = set(by)
    while led := {e.right for e in edges if e.left in belonging} - belonging:
        belonging |= led
    many = not belonging.isdisjoint(one.shown)
    cues = asked.links.cues_of("superlative") if many else ()
    marks = any(entry.words & _MARKS for entry in one.sorted_by)
    # `The worst reviews` are judged by their mean, `the worst review` is a single one.
    judged = [c for c in cues if marks and c.argument in ("good", "bad") and asked.word(c.span.end)[-1:] == "s"]  # fmt: skip
    return spans(
        c
        for c in cues
        if c in judged or c.argument in _NUMBERS or is_past_form(asked.word(c.span.end))
    )


def thing_by_all_its_parts(one: Hypothesis) -> int:
    """`The highest order` by the price of one of its lines, by its shipping, or by the size of a store: it is worth all its lines."""
    asked = one.asked
    unnamed = [entry for entry in one.sorted_by if not one.names(entry)]
    mask = 0
    for cue in asked.links.cues_of("superlative") if one.query.limit is not None else ():
        things = next(asked.tables_after(cue.span.end, 0), None)
        if things is None or things.best.score < 0.8:
            continue
        thing = things.best.id
        parts = {e.left for e in asked.edges(one.query.rows) if e.right == thing}
        amounts = line_amounts(asked.vocabulary)
        sold = any(one.deal == thing and isinstance(one.worth, Worth) for one in amounts)
        if any(entry.table in parts or (entry.numeric and sold) for entry in unnamed):
            mask |= cue.span.mask
    return mask


def kind_by_all_its_rows(one: Hypothesis) -> int:
    """`Which topic has the worst satisfaction` by a single row: each topic has many."""
    asked, query = one.asked, one.query
    shown = asked.entries(query.select)
    if query.limit is None or query.group or len(query.select) != 1 or not shown:
        return 0
    # `Which reason is the most expensive` speaks of the reason, not of one of its rows.
    cues = asked.links.cues_of("superlative")
    asking = asked.word(0) in ("which", "what")
    ends = asking and any(asked.word(cue.span.end) in ("", "?", ".") for cue in cues)
    rated = any(entry.numeric for entry in one.sorted_by)
    kind = asked.is_attribute(shown[0].id) and (ends or not asked.named_tables)
    return one.cues("superlative") if kind and rated else 0


def extreme_of_its_own_thing(one: Hypothesis) -> int:
    """`Students who live in the dorm with the most amenities` by the amenities of each student: the dorm has the most."""
    asked, query = one.asked, one.query
    if query.limit is None or not query.group or not all(is_measure(o.by) for o in query.order):
        return 0
    grouped, mask = _told_apart(one), 0
    for cue in asked.links.cues_of("superlative", "most_count"):
        start = cue.span.start - (asked.word(cue.span.start - 1) == "the")
        of = next((m for m in asked.links.tables if _has(asked.words(m.span.end, start))), None)
        if of is None or of.best.score < WHOLE:
            continue
        fitting = {o.id for o in of.options if o.score >= WHOLE}
        mask |= 0 if fitting & grouped else cue.span.mask
    return mask


def _told_apart(one: Hypothesis) -> set[int]:
    """The tables of which each row is a group."""
    asked = one.asked
    groups = asked.entries(one.query.group)
    led = {edge.right for e in groups for edge in [asked.leading(e.id)] if edge is not None}
    named = {
        e.table
        for e in groups
        if e.id in {*asked.key(e.table), *(asked.full_name(e.table) or asked.labels(e.table)[:1])}
    }
    return led | named


def _has(said: list[str]) -> bool:
    """True for what leads from a thing to what it has the most of: `with the`, `that bought the`."""
    said = [word for word in said if word != "the"]
    return (len(said) == 1 and said[0] in _HAVING) or (
        1 < len(said) <= _DEED and said[0] in _RELATIVE
    )


def extreme_before_the_role(one: Hypothesis) -> int:
    """`The manager of the highest paid`: the highest paid may have none, and the next one would be taken."""
    asked, query = one.asked, one.query
    if query.limit is None or all(is_measure(order.by) for order in query.order):
        return 0
    by = asked.owners(order.by for order in query.order)
    across = any(
        {e.left, e.right} & one.shown
        and asked.vocabulary.tables[e.right].role
        and e.left in by | one.shown
        for e in asked.edges(query.rows)
    )
    return one.cues("superlative", "most_count") if across and one.shown != by else 0
