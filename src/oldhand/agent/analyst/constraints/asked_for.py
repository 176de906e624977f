"""What is shown, against what was asked for: who, when, where, whose, and which of two things."""

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.contrast import says_both
from oldhand.agent.analyst.candidates.counting import things_of_kind
from oldhand.agent.analyst.candidates.lookup import PERSONS
from oldhand.agent.analyst.candidates.self_references import led_elsewhere, untold
from oldhand.agent.analyst.candidates.versus import compared_at
from oldhand.agent.analyst.candidates.whereabouts import is_dated, is_place
from oldhand.agent.analyst.constraints.hypothesis import Hypothesis
from oldhand.agent.analyst.linking.unknown import is_general, relating
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.fitting import WHOLE
from oldhand.agent.analyst.words.links import Mention, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS
from oldhand.query.form import Comparison, Count
from oldhand.query.walk import is_measure

_SEEKING, _NAMING = ("which", "what"), words("verbs.be") | words("names.titles_asked")
_DOING = words("verbs.do")
_BEING = words("verbs.be")
_OURS = words("function_words.whole") | words("function_words.determiners")
_CALLED = 0.6
"""How well a word must name the rows that are asked for by who they are."""
_ARTICLES = words("function_words.determiners")
_IDS = words("names.keys_asked")
_PLACING = words("places.prepositions")
_COMPARED = words("comparing.compared") | {"than"}
_BEFORE_QUESTIONS = ("and", ",", "so", "when", "where")


def time_or_place_or_person_shown(one: Hypothesis) -> int:
    """`When`, `where` or `who`, where no time, place or person is shown, and `how do people pay` without the ways."""
    if one.rests_on("hierarchy.told") or one.rests_on("thing.in_charge"):
        return 0
    asked = one.asked
    shown = asked.reading(one.query.select)
    places = range(1, len(asked.links.tokens))
    further = (place for place in places if asked.word(place - 1) in _BEFORE_QUESTIONS)
    for place in (0, *further):
        word = asked.word(place)
        if word == "when" and not any(map(is_dated, shown)):
            return 1 << place
        if word == "where" and not any(map(is_place, shown)):
            return 1 << place
    if asked.word(0) == "how" and asked.word(1) in _DOING and not one.rests_on("versus.count"):
        return 1
    somebody = not shown or any(_answers_who(one, entry) for entry in shown)
    return int(asked.word(0) == "who" and not somebody)


def _answers_who(one: Hypothesis, entry: ColumnEntry) -> bool:
    """True for columns of people, of what the question names, or called after a person."""
    asked = one.asked
    if entry.foreign and not {word for form in entry.forms for word in form} & PERSONS:
        return False  # the product that a supplier delivers is nobody
    if asked.is_person(entry):
        return True
    tables, joins = asked.vocabulary.tables, asked.vocabulary.joins
    if (
        asked.named_tables.get(entry.table, 0.0) >= _CALLED
        and entry.name_like
        and _is_called(asked, entry.table)
    ):
        return True
    beside = {e.other(t) for t in asked.inside(one.query.rows) for e in joins.edges(t)}
    if any(asked.is_person(asked.column(tables[t].columns[0])) for t in beside):
        return False  # the books that members borrow are nobody
    named = asked.named_tables.get(entry.table, 0.0) >= 0.9 and entry.name_like
    return named and not all(
        asked.word(m.span.start - 1) in _ARTICLES and asked.word(m.span.start - 2) in _PLACING
        for m in asked.links.tables
        if m.best.id == entry.table
    )


def _is_called(asked: Asked, table: int) -> bool:
    """True for the drivers of `who are our drivers`: whoever asks so says that they are people."""
    mentions = (m for m in asked.links.tables if m.best.id == table and asked.word(1) in _BEING)
    return any(set(asked.words(2, m.span.start)) <= _OURS for m in mentions)


def something_not_said_shown(one: Hypothesis) -> int:
    """`Which depots sent items to Moor Lane` by the depot that is called so: the name was said, others are asked for."""
    asked = one.asked
    things = [m for m in asked.links.tables if m.span.start == 1]
    shown = asked.entries(one.query.select)
    if asked.word(0) not in _SEEKING or not things or any(map(one.names, shown)):
        return 0
    equal = (c for c in one.conditions if isinstance(c, Comparison) and c.operator == "=")
    fixed = {e.id for e in asked.entries(c.left for c in equal if len(c.values) == 1)}
    labels = {e.id for e in map(asked.column, fixed) if e.name_like and asked.is_label(e)}
    named = {asked.column(label).table for label in labels}
    if not shown or any(entry.table not in named for entry in shown):
        return 0
    start = things[0].span.end
    return spans(
        value
        for value in asked.links.values
        if labels & {option.column for option in value.options}
        and not _NAMING.issuperset(asked.words(start, value.span.start))
    )


def own_key_shown(one: Hypothesis) -> int:
    """`The ids of the order items` by the id of the order that each is of."""
    asked, mask = one.asked, 0
    shown = asked.entries(one.query.select)
    for thing in asked.links.tables if len(shown) else ():
        own = asked.key(thing.best.id)
        others = {e.id for e in shown if e.table == thing.best.id and not e.column.primary_key}
        if thing.best.score < WHOLE or len(own) != 1 or own[0] in {e.id for e in shown}:
            continue
        for mention in asked.owned(thing):
            said = [p for p in mention.span.places if not thing.span.mask >> p & 1]
            plain = all(asked.word(p) in _IDS or asked.word(p) in STOP_WORDS for p in said)
            meant = {option.id for option in mention.options}
            mask |= mention.span.mask if plain and own[0] in meant and others & meant else 0
    return mask


def kind_shown_of_itself(one: Hypothesis) -> int:
    """`Which agent` by their tickets, where agents are a kind of employees: nothing is shown of them."""
    asked = one.asked
    compared = {entry.id for entry in one.compared()}
    for value in asked.links.values if asked.word(0) in ("which", "what") else ():
        matched = {option.column for option in value.options} & compared
        owners = {asked.column(column).table for column in matched}
        alone = value.span.start == 1 and not any(asked.tables_after(value.span.end, 0))
        kinds = things_of_kind(asked, value).keys() if alone else set[int]()
        if alone and owners and one.shown and not (owners | kinds) & one.shown:
            return value.span.mask
    return 0


def thing_of_its_own_table(one: Hypothesis) -> int:
    """`Active airlines` by a column of routes that is called so, too: the rows of the table of airlines are asked for."""
    asked = one.asked
    terms = [t for t in one.query.select if isinstance(t, Count) or not is_measure(t)]
    read = asked.reading(terms)
    shown = {entry.id: entry.table for entry in read if not (entry.key_like or entry.foreign)}
    mask = 0
    for mention in asked.links.tables:
        things = {option.id for option in mention.options if option.score >= WHOLE}
        named = (c for c in asked.links.columns if c.span == mention.span)
        meant = {option.id for column in named for option in column.options}
        if things and any(c in meant and table not in things for c, table in shown.items()):
            mask |= mention.span.mask
    return mask


def value_of_the_thing_behind_it(one: Hypothesis) -> int:
    """`Cancelled bookings per sailing` by bookings of sailings that were cancelled, where bookings are cancelled themselves."""
    asked, mask = one.asked, 0
    compared = {entry.id for entry in one.compared()}
    named = {m.span.start: m.best.id for m in asked.links.tables if m.best.score >= WHOLE}
    for value in asked.links.values:
        thing = named.get(value.span.end)
        held = {option.column for option in value.options}
        own = {column for column in held if asked.column(column).table == thing}
        mask |= value.span.mask if own and compared & held and not compared & own else 0
    return mask


def both_that_are_compared(one: Hypothesis) -> int:
    """`More customers in Rome or in Bonn` without a number for each of them."""
    compared = (*one.query.where, *one.query.having)
    with_one = any(isinstance(c, Comparison) and c.query is not None for c in compared)
    if with_one or one.rests_on("versus.count"):
        return 0
    links = one.asked.links
    if without := _with_and_without(one):
        return without
    matched = [m.span for m in (*links.values, *links.dates)]
    named = [*matched, *(m.span for m in links.tables)]
    cues = one.cues(">", "<", ">=", "<=", "than_average")
    for place, token in enumerate(links.tokens):
        between = any(s.start > place for s in named) and any(s.end <= place for s in named)
        if token.lower in _COMPARED and between and not cues >> place & 1:
            return 1 << place
    either = len(matched) > 1 and any(token.lower == "or" for token in links.tokens)
    place = compared_at(one.asked) if either else None
    return 1 << place if place is not None else 0


def _with_and_without(one: Hypothesis) -> int:
    """The tokens of `with and without`, and of `those without`, which want a number for each of the two."""
    asked = one.asked
    for cue in asked.links.cues_of("not"):
        rest = asked.words(cue.span.end, len(asked.links.tokens))
        ends = asked.word(cue.span.start) == "without" and rest in ([], ["?"])
        if ends or says_both(asked, cue):
            return cue.span.mask
    return 0


def superior_followed(one: Hypothesis) -> int:
    """`The boss of Ann` by a query that does not follow who stands above whom."""
    return 0 if one.rests_on("hierarchy.told") else untold(one.asked)


def led_by_their_own_leader(one: Hypothesis) -> int:
    """`The manager of the IT department` by who manages its people, where departments say who leads them."""
    return led_elsewhere(one.asked, one.asked.inside(one.query.rows))


def role_of_somebody(one: Hypothesis) -> int:
    """`The head office` and `the head of sales`: part of a name that nothing knows, and a title, but nobody's role."""
    if one.rests_on("hierarchy.told"):
        return 0
    asked, mask = one.asked, 0
    starts = {value.span.start for value in asked.links.values}
    for mention in asked.links.tables:
        end = mention.span.end
        if not asked.vocabulary.tables[mention.best.id].role:
            continue
        if _is_unread(one, mention):
            mask |= mention.span.mask | 1 << end
        titled = asked.word(mention.span.start) in ("head", "chief") and end + 1 in starts
        mask |= mention.span.mask if titled else 0
    return mask


def _is_unread(one: Hypothesis, mention: Mention) -> bool:
    """True when the word after a role is one that nothing surely names."""
    links, place = one.asked.links, mention.span.end
    if place >= len(links.tokens) or is_general(links.tokens[place]):
        return False
    known = spans(m for m in (*links.tables, *links.columns) if m.best.score >= 0.65)
    known |= spans((*links.values, *links.numbers, *links.dates, *links.cues))
    known |= relating(links, one.asked.vocabulary)
    return not known >> place & 1
