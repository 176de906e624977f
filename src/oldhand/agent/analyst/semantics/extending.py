"""Schemas in which measures and conditions are columns, so that all that can be asked of a column can be asked of them."""

from collections.abc import Sequence
from functools import lru_cache

from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem
from oldhand.record.effect import Alias
from oldhand.record.schema import STATED, Column, DatabaseSchema, Kind, Same, Table
from oldhand.record.semantics import Measure, NamedCondition


def extended(schemas: tuple[DatabaseSchema, ...]) -> tuple[DatabaseSchema, ...]:
    """The schemas with a column for each measure and each condition; the same objects where there are none.

    >>> from oldhand.record.semantics import Semantics
    >>> orders = Table(name="orders", schema_name="main", columns=(Column(name="price", type="REAL", kind=Kind.NUMBER),))
    >>> double = Measure(name="double", table="orders", formula="2 * price")
    >>> shop = DatabaseSchema(name="shop", dialect="sqlite", tables=(orders,), semantics=Semantics(measures=(double,)))
    >>> [column.name for column in extended((shop,))[0].tables[0].columns]
    ['price', 'double']
    """
    if not any(schema.semantics.rules for schema in schemas):
        return schemas
    return _of_same(Same(schemas))


@lru_cache(maxsize=16)
def _of_same(same: Same) -> tuple[DatabaseSchema, ...]:
    return tuple(map(_extended, same.schemas))


def _extended(schema: DatabaseSchema) -> DatabaseSchema:
    named = (*schema.semantics.measures, *schema.semantics.conditions)
    if not named:
        return schema
    tables = tuple(
        table.model_copy(update={"columns": (*table.columns, *_columns(table, named))})
        for table in schema.tables
    )
    return schema.model_copy(update={"tables": tables})


def _columns(table: Table, named: tuple[Measure | NamedCondition, ...]) -> list[Column]:
    kinds = {Measure: Kind.NUMBER, NamedCondition: Kind.BOOLEAN}
    return [
        Column(name=column_of(one), type=STATED, kind=kinds[type(one)], nullable=False)
        for one in named
        if one.table.casefold() == table.name.casefold()
    ]


def column_of(rule: Measure | NamedCondition) -> str:
    """The name of the column that stands for a measure or a condition.

    A condition that is called after its table too goes by the rest: questions name the table beside it.

    >>> column_of(NamedCondition(name="big orders", table="orders", condition="total > 1000"))
    'big'
    """
    if isinstance(rule, Measure):
        return rule.name
    own = {stem(word) for word in split_name(rule.table)}
    words = [word for word in rule.name.split() if stem(word.casefold()) not in own]
    return " ".join(words) or rule.name


def with_learned(schemas: tuple[DatabaseSchema, ...], words: Sequence[Alias]) -> tuple[DatabaseSchema, ...]:  # fmt: skip
    """The schemas with the conditions and measures that learned words mean, where nobody has stated others; the same objects where there are none."""
    defined = tuple(one for one in words if one.is_defined)
    return _with_learned(Same(schemas), defined) if defined else schemas


@lru_cache(maxsize=16)
def _with_learned(same: Same, words: tuple[Alias, ...]) -> tuple[DatabaseSchema, ...]:
    return tuple(_having(schema, words) for schema in same.schemas)


def _having(schema: DatabaseSchema, words: Sequence[Alias]) -> DatabaseSchema:
    semantics = schema.semantics
    stated = {rule.name.casefold() for rule in semantics.rules}
    for word in words:
        if word.database == schema.name and word.phrase not in stated:
            semantics = semantics.having(rule_of(word))
    return schema if semantics is schema.semantics else schema.model_copy(update={"semantics": semantics})  # fmt: skip


def rule_of(word: Alias) -> Measure | NamedCondition:
    """The condition or the measure that a word means."""
    if word.formula is not None:
        return Measure(name=word.phrase, table=word.table, formula=word.formula)
    return NamedCondition(name=word.phrase, table=word.table, condition=word.condition or "")


def stated_words(schemas: tuple[DatabaseSchema, ...]) -> tuple[Alias, ...]:
    """The words for tables and columns that people have stated, those for dates among them."""
    said = [one.alias(schema.name) for schema in schemas for one in schema.semantics.synonyms]
    dates = ((schema.name, one) for schema in schemas for one in schema.semantics.dates)
    return (*said, *(alias for name, one in dates for alias in one.aliases(name)))
