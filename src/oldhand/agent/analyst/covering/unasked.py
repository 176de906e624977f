"""What has changed though no word of a correction asks for it, and what else its words may mean."""

from collections.abc import Iterator

from oldhand.agent.analyst.covering.beside import Beside, named_by, nodes_of
from oldhand.agent.analyst.covering.written import is_written
from oldhand.agent.analyst.words.links import spans
from oldhand.lexicon.entries import meanings, words
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import human, plural, singular
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Aggregate, ColumnRef, Comparison, Count, DatePart, Node
from oldhand.query.known import called_alike
from oldhand.query.parts import Part
from oldhand.query.walk import is_measure, relations, walk

_TIMES = words("time.units") | words("correcting.times")
_FIGURES, _PARTS = words("correcting.figures"), meanings("time.parts")
_NAMES = words("names.titles_asked")
_ADDING, _ADDING_BEHIND = words("correcting.adding"), words("correcting.adding_behind")
_RESTRICTING, _SHOWING = ("where", "having"), ("select", "group")
"""Kinds of parts."""
_EACH = words("correcting.each")
_COUNTING = ("count", "most_count", "how_much")
_COMPUTING = (
    *_COUNTING, "superlative", "most_common", "ordinal", "order", "asc", "desc", "top", *AGGREGATES, "distinct", "share"
)  # fmt: skip
"""Kinds of cues."""
_SHAPES = meanings("correcting.shapes")
_DENYING = words("leaving.denying") | words("correcting.contrasting")
_LISTING = words("correcting.listing") | _NAMES | {*_COUNTING}
"""Words and cues that ask for what is shown in place of a figure."""
_NAMED = 0.5
"""How well words fit a column that they name; less well they fit it by the name of its table alone."""


def other_meanings(told: Beside) -> Iterator[str]:
    """What else words may mean that are a value, or the name of a table, as well as what was taken."""
    fresh = (one.node for one in told.fresh if one.kind in _RESTRICTING)
    compared = told.ids(node for one in fresh if isinstance(one, Node) for node in walk(one))
    named = told.ids(walk(told.before)) | told.named(spans(told.links.values))
    for value in told.links.values:
        for one in value.options if compared.isdisjoint(named) else ():
            own = told.known.columns[one.column] if one.column in compared else None
            for other in (told.known.columns[two.column] for two in value.options if two.score >= one.score):  # fmt: skip
                if own and other.table == own.table and other.id not in compared | named:
                    yield f"the {human(other.column.name)}"
    yield from _other_columns(told)
    yield from _own_states(told)
    yield from _groups_within(told)
    yield from _single_amounts(told)
    yield from _days_gone_by(told)
    ends = any(isinstance(one.node, Aggregate) and one.node.function in ("max", "min") for one in told.fresh)  # fmt: skip
    if ends and told.before.group and any(one.kind == "superlative" for one in told.links.cues):
        yield "the one of these with the most or the least"
    before, after = {*relations(told.before)}, {*relations(told.after)}
    for mention in told.links.tables:
        tables = [told.known.tables[one.id] for one in mention.options if one.score >= mention.best.score]  # fmt: skip
        if any(one.relation in after - before for one in tables):
            yield from (plural(human(one.table.name)) for one in tables if one.relation not in after | before)  # fmt: skip


def _groups_within(told: Beside) -> Iterator[str]:
    """The groups that there were, with those that are named within them: nobody has said that they are to go; a city takes the place of a city."""
    said = {token.lower for token in told.links.tokens}
    gone, fresh = (told.ids(node for one in parts if one.kind == "group" for node in nodes_of([one])) for parts in (told.gone, told.fresh))  # fmt: skip
    if said.isdisjoint(_DENYING) and gone and fresh and gone.isdisjoint(fresh):
        (came, went) = (
            [told.known.columns[one] for one in some if one >= 0] for some in (fresh, gone)
        )
        alike = {one.id for one in went for two in came if isinstance(one.ref, ColumnRef) and isinstance(two.ref, ColumnRef) and called_alike(one.ref, two.ref)}  # fmt: skip
        names = [human(one.column.name) for one in went if one.id not in alike]
        yield from (f"the same for each {one} as well" for one in names[:1])


def _own_states(told: Beside) -> Iterator[str]:
    """Columns of the things in question that a word begins, where it was read as a value of others: the `cancelled on` of bookings, beside cancelled flights."""
    before = relations(told.before)
    far = [one.node for one in told.fresh if one.kind in _RESTRICTING and not {two.of for two in _refs(one)} & {*before}]  # fmt: skip
    stems = {one.stem for value in told.links.values if far for one in told.links.tokens[value.span.start : value.span.end]}  # fmt: skip
    for one in told.known.columns:
        if isinstance(one.ref, ColumnRef) and told.known.tables[one.table].relation in before and stems & {*map(stem, split_name(one.column.name))}:  # fmt: skip
            yield f"the {human(one.column.name)} of {plural(human(told.known.tables[one.table].table.name))}"  # fmt: skip


def _single_amounts(told: Beside) -> Iterator[str]:
    """What a column counts, one by one, where groups are made of its numbers: `revenue per ticket`."""
    fresh = {one for part in told.fresh if part.kind == "group" for one in told.within([part])}
    for one in (told.known.columns[at] for at in sorted(fresh) if at >= 0):
        name = human(one.column.name)
        if one.measures and singular(name) != name:
            yield f"how much it is for each single {singular(name)}"


def _days_gone_by(told: Beside) -> Iterator[str]:
    """What decides in which time rows are, where groups are made of single days, and no word asks for groups: `count them by the delivery day`."""
    fresh = [one.node for one in told.fresh if one.kind == "group"]
    days = [one for one in fresh if (isinstance(one, DatePart) and one.part == "day") or (isinstance(one, ColumnRef) and told.known.entry(one).temporal)]  # fmt: skip
    if days and _EACH.isdisjoint(one.lower for one in told.links.tokens):
        yield "the day that decides in which month or year they count, where a question names one"


def _other_columns(told: Beside) -> Iterator[str]:
    """Columns of the same name, in the same table or one as near: the town of branches, where that of clients was taken."""
    read = told.ids(walk(told.after))
    before = {one.id for one in told.known.tables if one.relation in relations(told.before)}
    fresh = told.within(told.fresh) - told.ids(walk(told.before))
    for mention in (one for one in told.links.columns if one.best.score >= _NAMED):
        tied = [one.id for one in mention.options if one.score >= mention.best.score]
        tables = {told.known.columns[one].table for one in tied if one in fresh}
        for one in (told.known.columns[at] for at in tied if at not in read):
            near = any(told.known.joins.between(one.table, table) for table in before)
            if one.table in tables or (tables and near and before.isdisjoint({*tables, one.table})):  # fmt: skip
                table = human(told.known.tables[one.table].table.name)
                yield f"the {human(one.column.name)} of {plural(table)}"


def unasked(told: Beside) -> Iterator[Part]:
    """The parts that have changed though nobody asked for it."""
    said = [token.lower for token in told.links.tokens if token.is_word]
    adds = bool(said) and (said[0] in _ADDING or said[-1] in _ADDING_BEHIND)
    outer = [one for one in told.fresh if one.kind in _SHOWING and not one.holder]
    yield from (one for one in outer if not _is_asked(told, one))
    if adds:
        yield from (one for one in told.gone if one.kind in _SHOWING and not one.holder)
    about = told.named() | told.within(told.fresh)
    if told.links.dates or not _TIMES.isdisjoint(said):
        about |= {one.id for one in told.known.columns if one.temporal}
    compared = [one.node.left for one in told.fresh if isinstance(one.node, Comparison)]
    for part in told.change.only_one:
        replaced = isinstance(part.node, Comparison) and part.node.left in compared
        if part.kind in _RESTRICTING and not part.holder and not replaced and about.isdisjoint(told.within([part])):  # fmt: skip
            yield part
    yield from (one for one in told.fresh if one.kind in _RESTRICTING and (not _is_said(told, one) or _is_far(told, one)))  # fmt: skip
    yield from _lost(told)


def _is_said(told: Beside, part: Part) -> bool:
    """Whether words ask for a condition: its values are written, and what held of one column holds of another only by its name."""
    before = next((one.one for one in told.change.exchanged if one.other == part and one.what == "column"), None)  # fmt: skip
    if before is not None:
        names = ({one.name for one in _refs(two)} for two in (before, part))
        return len({*map(frozenset, names)}) == 1 or bool(told.within([part]) & told.named())
    node = part.node
    if isinstance(node, Comparison) and node.operator == "=" and not told.links.dates and any(isinstance(one, int | float) for one in node.values):  # fmt: skip
        return bool(told.within([part]) & told.named()) or _is_flag(node)
    compared = (one for one in walk(told.before, inner=True) if isinstance(one, Comparison))
    known = {value for one in compared for value in one.values}
    return isinstance(node, int) or is_written(node, told.said, known)


def _is_far(told: Beside, part: Part) -> bool:
    """Whether a condition is on things that nobody names, and that none of the rows belongs to: the guides of whom `Germans` may be, where divers are listed."""
    before = {one.id for one in told.known.tables if one.relation in relations(told.before)}
    read = {one.of for one in _refs(part)} - {*relations(told.before)}
    named = {one for m in told.links.tables for one in named_by(m)}
    columns = {told.known.columns[one].table for m in told.links.columns for one in named_by(m)}
    tables = {one.id for one in told.known.tables if one.relation in read} - named - columns
    return any(not any(told.known.joins.between(one, own) for own in before) for one in tables)


def _is_flag(one: Comparison) -> bool:
    """Whether a number may stand for *yes* or *no*."""
    return {*one.values} <= {0, 1}


def _lost(told: Beside) -> Iterator[Part]:
    """Figures, and groups of what is still shown, that are gone though no word speaks of it."""
    listed = any(map(is_measure, told.after.select)) or not any(map(is_measure, told.before.select))  # fmt: skip
    words_said = {token.lower for token in told.links.tokens}
    if not listed and _LISTING.isdisjoint(words_said | {one.kind for one in told.links.cues}):
        yield from (one for one in told.gone if one.kind == "select" and not one.holder and isinstance(one.node, Aggregate | Count))  # fmt: skip


def _refs(part: Part) -> Iterator[ColumnRef]:
    node = part.node
    return (one for one in (walk(node) if not isinstance(node, int) else ()) if isinstance(one, ColumnRef))  # fmt: skip


def _naming(told: Beside, part: Part) -> set[int]:
    """The columns that words ask for; one value alone asks for no groups: `by men` is no `by gender`."""
    grouping = part.node in told.after.group and part.node not in told.before.group
    alone = len(told.links.values) < 2 and "group" not in (_SHAPES.get(one.lower) for one in told.links.tokens)  # fmt: skip
    return told.called() if grouping and alone else told.named()


def _is_asked(told: Beside, part: Part) -> bool:
    """Whether words ask for what is shown, or makes the groups."""
    node, said = part.node, [token.lower for token in told.links.tokens]
    if told.within([part]) & _naming(told, part) or not _NAMES.isdisjoint(said):
        return True
    if isinstance(node, DatePart):
        return bool(told.links.dates) or not (_TIMES | {*_PARTS}).isdisjoint(said)
    if not isinstance(node, ColumnRef):
        kinds = {cue.kind for cue in told.links.cues}
        return not (kinds.isdisjoint(_COMPUTING) and _FIGURES.isdisjoint(said))
    if any(isinstance(one.node, Count) for one in told.gone) and not _LISTING.isdisjoint(said):
        return True
    tables = {one for m in told.links.tables for one in named_by(m)}
    words_of = {one.stem for one in told.links.tokens} & {*map(stem, split_name(node.of.table))}
    own = {one.id for one in told.known.tables if one.relation == node.of}
    tables |= own if words_of else set()  # the `building` of apartment buildings
    grouping = part.kind == "group" or node in told.after.group
    return bool(own & tables) and (grouping or node.of not in told.before.rows.relations)
