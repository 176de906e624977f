"""What an effect is about: two effects on the same place are the same, or one of them is wrong."""

from functools import lru_cache

from sqlglot import exp

from oldhand.record.effect import Alias, DefaultFilter, Effect, TimeColumn, ToolBan, ValueMapping
from oldhand.record.filter_condition import columns_of, comparisons, read_filter
from oldhand.record.join_path import JoinPath

Place = tuple[str, ...]
"""Names, letter case aside; the first is the kind of the effect."""


def place_of(effect: Effect) -> Place:
    """What an effect is about.

    >>> place_of(DefaultFilter(database="shop", table="orders", condition="status <> 'cancelled'"))
    ('default_filter', 'shop', '', 'orders', 'status')
    """
    match effect:
        case DefaultFilter():
            names = (effect.database, effect.schema_name or "", effect.table)
            names = (*names, *_columns(effect.condition))
        case JoinPath():
            ends = sorted((effect.tables[0], effect.tables[-1]))
            column = (effect.tables[0], effect.column) if effect.column is not None else None
            names = (effect.database, *(column or ends), *effect.when)
        case TimeColumn():
            names = (effect.database, effect.table)
        case ValueMapping():
            names = (effect.database, effect.table, effect.column, effect.spoken)
        case Alias():
            names = (effect.database, effect.phrase)
        case ToolBan():
            names = (effect.tool,)
    return (effect.kind, *(" ".join(name.casefold().split()) for name in names))


def detail_of(effect: Effect) -> str:
    """What an effect does there: the same text for effects that do the same.

    >>> one = DefaultFilter(database="shop", table="orders", condition="a = 1 AND  b = 2")
    >>> detail_of(one) == detail_of(one.model_copy(update={"condition": "a = 1 AND b = 2"}))
    True
    """
    match effect:
        case DefaultFilter():
            return _normal(effect.condition)
        case JoinPath():
            pairs = (
                sorted([f"{one.table}.{one.column}", f"{one.other_table}.{one.other_column}"])
                for one in effect.on
            )
            return "; ".join(sorted(" = ".join(pair).casefold() for pair in pairs))
        case TimeColumn():
            return effect.column.casefold()
        case ValueMapping():
            return repr(effect.value)
        case Alias():
            return effect.target
        case ToolBan():
            return "banned"


@lru_cache(maxsize=4096)
def _columns(condition: str) -> tuple[str, ...]:
    return tuple(sorted(columns_of(read_filter(condition))))


@lru_cache(maxsize=4096)
def _normal(condition: str) -> str:
    return read_filter(condition).sql(normalize=True)


def contradict(one: Effect, other: Effect) -> bool:
    """Whether two effects can't both be right: they are about the same place, and do different things there.

    Two filters that only leave something out can both be right.

    >>> def filtered(condition): return DefaultFilter(database="shop", table="orders", condition=condition)
    >>> contradict(filtered("status <> 'cancelled'"), filtered("status = 'cancelled'"))
    True
    >>> contradict(filtered("status <> 'cancelled'"), filtered("status <> 'returned'"))
    False
    """
    if place_of(one) != place_of(other) or detail_of(one) == detail_of(other):
        return False
    return not (leaves_out(one) and leaves_out(other))


def leaves_out(effect: Effect) -> bool:
    """Whether it is a filter that only leaves something out, beside which others may do so, too."""
    return isinstance(effect, DefaultFilter) and _only_leaves_out(effect.condition)


@lru_cache(maxsize=4096)
def _only_leaves_out(condition: str) -> bool:
    tree = read_filter(condition)
    if tree.find(exp.Or):
        return False
    return all(isinstance(one, exp.NEQ) or _is_denied(one) for one in comparisons(tree))


def _is_denied(comparison: exp.Expr) -> bool:
    parent = comparison.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Not)
