"""Semantic models and metrics of dbt, as far as the semantic layer can hold them; what it can't is listed with the reason."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from oldhand.errors import SchemaError, UnclearRule
from oldhand.loop.known_rules import KnownRule, check_rule, known
from oldhand.loop.stating import HomeRules
from oldhand.record.base import Record
from oldhand.record.schema import DatabaseSchema, Table
from oldhand.record.semantics import DefaultDate, Measure, Rule, Synonym
from oldhand.settings.strict_yaml import read_document

_AGGREGATED = {
    "sum": "SUM({})", "average": "AVG({})", "avg": "AVG({})", "min": "MIN({})", "max": "MAX({})",
    "count": "COUNT({})", "count_distinct": "COUNT(DISTINCT {})",
}  # fmt: skip
_REF = re.compile(r"ref\(\s*['\"](?:[^'\"]+['\"]\s*,\s*['\"])?([^'\"]+)['\"]\s*\)")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class _Measure(_Part):
    name: str
    agg: str
    expr: str | None = None


class _Dimension(_Part):
    name: str
    type: str = "categorical"
    expr: str | None = None


class _Defaults(_Part):
    agg_time_dimension: str | None = None


class _Model(_Part):
    name: str
    model: str = ""
    defaults: _Defaults = _Defaults()
    dimensions: tuple[_Dimension, ...] = ()
    measures: tuple[_Measure, ...] = ()


class _Input(_Part):
    name: str
    alias: str | None = None
    filter: object = None
    offset_window: object = None


class _Params(_Part):
    measure: str | _Input | None = None
    numerator: str | _Input | None = None
    denominator: str | _Input | None = None
    expr: str | None = None
    metrics: tuple[str | _Input, ...] = ()


class _Metric(_Part):
    name: str
    label: str = ""
    type: str = "simple"
    type_params: _Params = _Params()
    filter: object = None


class _File(_Part):
    semantic_models: tuple[_Model, ...] = ()
    metrics: tuple[_Metric, ...] = ()


class LeftOut(Record):
    """Something of a file that was not taken."""

    name: str
    reason: str


class ImportedRules(Record):
    """What was taken from a file, and what was not."""

    taken: tuple[KnownRule, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class Translated:
    """What a file holds."""

    rules: list[tuple[str, Rule]] = field(default_factory=list[tuple[str, Rule]])
    """Each after its database."""
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])


class _Unfit(Exception):
    """Why something can't be taken."""


@dataclass(frozen=True)
class _Computed:
    """A measure or metric over the rows of a table."""

    database: str
    table: str
    formula: str


def imported(rules: HomeRules, path: Path, rater: str, *, dry_run: bool) -> ImportedRules:
    """Put the rules of a dbt file in force, or only say what they are; blocks."""
    found = translated(path, rules.catalog.schemas())
    if not dry_run:
        for database in dict.fromkeys(name for name, _ in found.rules):
            own = [rule for name, rule in found.rules if name == database]
            rules.put(database, own, rater)
    taken = tuple(known(database, rule) for database, rule in found.rules)
    return ImportedRules(taken=taken, left_out=tuple(found.left_out))


def translated(path: Path, schemas: Sequence[DatabaseSchema]) -> Translated:
    """The rules of a dbt file.

    Raises:
        SchemaError: it is not YAML, or holds no semantic models and metrics.
    """
    file = read_document(path).filled(_File)
    if not file.semantic_models and not file.metrics:
        raise SchemaError(f"{path} holds neither semantic_models nor metrics of dbt.")
    return _Translator(schemas).all_of(file)


class _Translator:
    def __init__(self, schemas: Sequence[DatabaseSchema]) -> None:
        self._schemas = {schema.name: schema for schema in schemas}
        self._known: dict[str, _Computed] = {}
        self._made = Translated()

    def all_of(self, file: _File) -> Translated:
        for model in file.semantic_models:
            self._model(model)
        waiting = list(file.metrics)
        for _ in range(len(waiting) + 1):  # a metric may rest on one that is written later
            waiting = [metric for metric in waiting if not self._metric(metric, last=False)]
        for metric in waiting:
            self._metric(metric, last=True)
        return self._made

    def _model(self, model: _Model) -> None:
        found = self._table(model)
        if found is None:
            self._leave(model.name, "no table goes by the name of its model")
            return
        database, table = found
        for dimension in model.dimensions:
            self._dimension(dimension, model, database, table)
        for measure in model.measures:
            self._known[measure.name] = _Computed(database, table.name, "")
            try:
                computed = _Computed(database, table.name, _formula(measure))
            except _Unfit as unfit:
                self._leave(measure.name, str(unfit))
                del self._known[measure.name]
                continue
            self._known[measure.name] = computed
            self._take(measure.name, measure.name, computed)

    def _dimension(self, dimension: _Dimension, model: _Model, database: str, table: Table) -> None:
        column = table.column((dimension.expr or dimension.name).strip())
        if column is None:
            self._leave(dimension.name, "its expression is no column")
        elif dimension.name == model.defaults.agg_time_dimension:
            rule = DefaultDate(table=table.name, column=column.name, says=f"dbt: {dimension.name}")
            self._checked(dimension.name, database, rule)
        elif column.name.casefold() != dimension.name.casefold():
            word = _worded(dimension.name)
            self._checked(dimension.name, database, Synonym(name=word, table=table.name, column=column.name))  # fmt: skip

    def _metric(self, metric: _Metric, *, last: bool) -> bool:
        """Take a metric, or leave it out; False where it rests on others that are not known yet."""
        try:
            computed = self._computed(metric)
        except KeyError as missing:
            if last:
                self._leave(metric.name, f"it rests on {missing}, which was not taken")
            return last
        except _Unfit as unfit:
            self._leave(metric.name, str(unfit))
            return True
        same = self._known.get(metric.name) == computed and not metric.label
        self._known[metric.name] = computed
        if not same:
            self._take(metric.name, metric.label or metric.name, computed)
        return True

    def _computed(self, metric: _Metric) -> _Computed:
        params = metric.type_params
        if metric.filter:
            raise _Unfit("it has a filter of its own")
        if metric.type == "simple" and params.measure is not None:
            return self._input(params.measure)[1]
        if metric.type == "ratio" and params.numerator and params.denominator:
            top, bottom = self._input(params.numerator)[1], self._input(params.denominator)[1]
            _of_one_table((top, bottom))
            return _Computed(top.database, top.table, f"({top.formula}) / ({bottom.formula})")
        if metric.type == "derived" and params.expr and params.metrics:
            inputs = dict(map(self._input, params.metrics))
            _of_one_table(tuple(inputs.values()))
            first = next(iter(inputs.values()))
            return _Computed(first.database, first.table, _put_in(params.expr, inputs))
        raise _Unfit(f"metrics of type {metric.type} can't be stated")

    def _input(self, given: str | _Input) -> tuple[str, _Computed]:
        """What a metric rests on, after the name that its expression calls it by."""
        if isinstance(given, str):
            return given, self._known[given]
        if given.filter or given.offset_window:
            raise _Unfit("what it rests on has a filter or an offset of its own")
        return given.alias or given.name, self._known[given.name]

    def _take(self, name: str, called: str, computed: _Computed) -> None:
        try:
            rule = Measure(
                name=_worded(called),
                table=computed.table,
                formula=computed.formula,
                says=f"dbt: {name}",
            )
        except ValueError:
            self._leave(name, f"its formula can't be stated: {computed.formula}")
            return
        self._checked(name, computed.database, rule)

    def _checked(self, name: str, database: str, rule: Rule) -> None:
        try:
            check_rule(rule, self._schemas[database])
        except UnclearRule as unclear:
            self._leave(name, str(unclear).rstrip("."))
            return
        self._made.rules.append((database, rule))

    def _leave(self, name: str, reason: str) -> None:
        self._made.left_out.append(LeftOut(name=name, reason=reason))

    def _table(self, model: _Model) -> tuple[str, Table] | None:
        for name in _names(model):
            for schema in self._schemas.values():
                if (table := schema.table(name)) is not None:
                    return schema.name, table
        return None


def _names(model: _Model) -> Iterator[str]:
    """What the table of a model may be called."""
    if named := _REF.search(model.model):
        yield named[1]
    yield from (model.model, model.name)


def _formula(measure: _Measure) -> str:
    form = _AGGREGATED.get(measure.agg)
    if form is None:
        raise _Unfit(f"the aggregation {measure.agg} can't be stated")
    of = (measure.expr or measure.name).strip()
    counts_rows = of in ("1", "*") and measure.agg in ("sum", "count")
    return "COUNT(*)" if counts_rows else form.format(of)


def _of_one_table(parts: Sequence[_Computed]) -> None:
    if len({(one.database, one.table) for one in parts}) > 1:
        raise _Unfit("it computes with measures of several tables")


def _put_in(expression: str, inputs: Mapping[str, _Computed]) -> str:
    return re.sub(
        r"[^\W\d]\w*",
        lambda word: f"({inputs[word[0]].formula})" if word[0] in inputs else word[0],
        expression,
    )


def _worded(name: str) -> str:
    return " ".join(name.replace("_", " ").casefold().split())
