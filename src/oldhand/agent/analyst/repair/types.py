"""Repairs types that do not fit: numbers and dates kept as text, keys of different types, and the like."""

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from oldhand.agent.analyst.repair.names import Repair
from oldhand.agent.analyst.repair.trees import column_of
from oldhand.query.compiling.conversion import (
    as_date,
    how_written,
    is_number,
    iso_date,
    needs_cleaning,
    number_in_text,
)
from oldhand.record.base import Cell
from oldhand.record.schema import DATES, NUMBERS, DatabaseSchema, Kind
from oldhand.sources.databases.complaints import Complaint

_SUMMING = (exp.Avg, exp.Sum, exp.Stddev, exp.StddevSamp, exp.Variance, exp.Median, exp.Abs, exp.Round, exp.Neg)  # fmt: skip
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_COMPARING = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_TEXTUAL = (exp.Upper, exp.Lower, exp.Trim, exp.Length, exp.Substring, exp.Like, exp.ILike)
_DATING = (exp.Extract, exp.TimeToStr, exp.ToChar, exp.DateTrunc, exp.TimestampTrunc, exp.DateDiff)
_YIELDS: dict[Kind, tuple[type[exp.Expr], ...]] = {
    Kind.BOOLEAN: (exp.Boolean, exp.Predicate),
    Kind.DATE: (exp.CurrentDate, exp.StrToDate),
    Kind.TEXT: (exp.Lower, exp.Upper, exp.Substring, exp.Trim, exp.DPipe, exp.Concat),
    Kind.NUMBER: (exp.Avg, exp.Sum, exp.Count, exp.Extract, exp.Round, *_ARITHMETIC),
}
_TYPES = {
    Kind.INTEGER: exp.DataType.INTEGER_TYPES,
    Kind.NUMBER: exp.DataType.NUMERIC_TYPES,
    Kind.TEXT: exp.DataType.TEXT_TYPES,
    Kind.DATE: {exp.DataType.Type.DATE},
    Kind.DATETIME: exp.DataType.TEMPORAL_TYPES,
}
_TEXT_TYPES = frozenset({"varchar", "text", "character varying", "character"})


def agree_on_types(
    tree: exp.Expr, complaint: Complaint, schema: DatabaseSchema
) -> Iterator[Repair]:
    """Cast whatever is compared, added up or taken apart as something that it is not.

    When the schema shows nothing wrong but the database speaks of text, the schema is out of date: then numbers
    and dates are taken for text, too.
    """
    outdated = not _TEXT_TYPES.isdisjoint(complaint.types)
    for distrust in (False, True) if outdated else (False,):
        typist = _Typist(schema, distrust=distrust)
        changed = typist.typed(tree.copy())
        if typist.notes or distrust:
            yield changed, typist.note


def convert_gently(tree: exp.Expr, _: Complaint, schema: DatabaseSchema) -> Iterator[Repair]:
    """A value did not convert: take out the digits, and leave out what holds none."""
    typist = _Typist(schema, distrust=False, clean=True)
    changed = tree.copy()
    for cast in list(changed.find_all(exp.Cast)):
        column = cast.this.find(exp.Column)
        to_number = cast.to.this in exp.DataType.NUMERIC_TYPES
        if to_number and column is not None and typist.kind(column) in (Kind.TEXT, None):
            cast.replace(typist.number(column))
    changed = typist.typed(changed)
    for literal in list(changed.find_all(exp.Literal)):
        if isinstance(literal.parent, exp.Predicate) and (day := iso_date(literal.name)):
            literal.replace(exp.Literal.string(day))
            typist.notes.append(f"{literal.name} is {day}.")
    if typist.notes:
        yield changed, typist.note


class _Typist:
    """Casts what does not fit in one tree, and notes what it did."""

    def __init__(self, schema: DatabaseSchema, *, distrust: bool, clean: bool = False) -> None:
        self._schema = schema
        self._distrust = distrust
        self._clean = clean
        self.notes: list[str] = []

    @property
    def note(self) -> str:
        """What was cast, in words."""
        return " ".join(dict.fromkeys(self.notes))

    def typed(self, tree: exp.Expr) -> exp.Expr:
        """Cast in `tree`, from the inside out."""
        rules: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], None]], ...] = (
            (_SUMMING, self._numeric_argument),
            (_ARITHMETIC, self._arithmetic),
            (_COMPARING, self._comparison),
            ((exp.In,), self._within),
            (_DATING, self._date_argument),
            (_TEXTUAL, self._text_argument),
            ((exp.SetOperation,), self._set_operation),
        )
        for node in reversed(list(tree.walk())):
            rule = next((rule for kinds, rule in rules if isinstance(node, kinds)), None)
            if rule is not None:
                rule(node)
        return tree

    def kind(self, node: exp.Expr) -> Kind | None:
        """What `node` yields, as far as it can be seen."""
        if isinstance(node, exp.Column):
            column = column_of(node, self._schema)
            kind = column.kind if column is not None else None
            return Kind.TEXT if self._distrust and kind in NUMBERS | DATES else kind
        if isinstance(node, exp.Literal):
            return Kind.TEXT if node.is_string else Kind.NUMBER
        if isinstance(node, exp.Cast):
            return next((kind for kind, types in _TYPES.items() if node.to.this in types), None)
        if isinstance(node, exp.Paren | exp.Min | exp.Max):
            return self.kind(node.this)
        if isinstance(query := node.unnest(), exp.Select):
            return self.kind(query.selects[0].unalias()) if len(query.selects) == 1 else None
        return next((kind for kind, types in _YIELDS.items() if isinstance(node, types)), None)

    def number(self, node: exp.Expr) -> exp.Expr:
        """`node` as a number."""
        samples = self._samples(node)
        self.notes.append(f"{_words(node)} is text that holds numbers; it was converted.")
        clean = self._clean or needs_cleaning(samples)
        written = how_written(samples) if clean else None
        return number_in_text(node.copy(), self._schema.dialect, written)

    def _samples(self, node: exp.Expr) -> Sequence[Cell]:
        column = node if isinstance(node, exp.Column) else node.find(exp.Column)
        found = column_of(column, self._schema) if column is not None else None
        return found.samples if found is not None else ()

    def _to_number(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Literal):
            if is_number(node.name):
                node.replace(exp.Literal.number(node.name))
        else:
            node.replace(self.number(node))

    def _to_text(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Literal):
            node.replace(exp.Literal.string(node.name))
        else:
            node.replace(exp.cast(node.copy(), "text"))
        self.notes.append(f"{_words(node)} was compared as text.")

    def _to_date(self, node: exp.Expr) -> None:
        self.notes.append(f"{_words(node)} is text that holds dates; it was converted.")
        node.replace(as_date(node, self._schema.dialect, self._samples(node)))

    def _numeric_argument(self, node: exp.Expr) -> None:
        inner = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
        if isinstance(inner, exp.Expr) and self.kind(inner) is Kind.TEXT:
            self._to_number(inner)

    def _arithmetic(self, node: exp.Expr) -> None:
        sides: list[exp.Expr] = [node.this, node.expression]
        texts = [side for side in sides if self.kind(side) is Kind.TEXT]
        if isinstance(node, exp.Add) and len(texts) == 2 and not self._hold_numbers(texts):
            node.replace(exp.DPipe(this=sides[0].copy(), expression=sides[1].copy()))
            self.notes.append("Texts were put together.")
            return
        for side in texts:
            self._to_number(side)

    def _hold_numbers(self, nodes: Sequence[exp.Expr]) -> bool:
        samples = [cell for node in nodes for cell in self._samples(node) if cell is not None]
        return bool(samples) and all(is_number(cell) for cell in samples)

    def _comparison(self, node: exp.Expr) -> None:
        self._compare(node.this, node.args.get("low") or node.args["expression"])

    def _compare(self, left: exp.Expr, right: exp.Expr) -> None:
        for one, other in ((left, right), (right, left)):
            mine, theirs = self.kind(one), self.kind(other)
            if mine is Kind.TEXT and theirs in NUMBERS and not isinstance(one, exp.Literal):
                self._text_against_number(one, other)
            elif mine in DATES and theirs is Kind.TEXT and not isinstance(other, exp.Literal):
                self._to_date(other)
            elif mine in DATES and theirs in NUMBERS and isinstance(one, exp.Column):
                one.replace(exp.Extract(this=exp.var("YEAR"), expression=one.copy()))
                self.notes.append(f"The year of {_words(one)} was compared.")
            elif mine is Kind.BOOLEAN and theirs in NUMBERS and isinstance(other, exp.Literal):
                other.replace(exp.Boolean(this=other.name != "0"))
                self.notes.append(f"{_words(one)} is true or false.")
            elif mine in NUMBERS and isinstance(other, exp.Boolean):
                other.replace(exp.Literal.number(int(bool(other.this))))
                self.notes.append(f"{_words(one)} is 1 or 0.")
            else:
                continue
            return

    def _text_against_number(self, text: exp.Expr, number: exp.Expr) -> None:
        """Equal keys are compared as text where that can't go wrong, everything else as numbers."""
        equal = isinstance(text.parent, exp.EQ | exp.NEQ | exp.In)
        padded = any(isinstance(c, str) and c != c.strip().lstrip("0") for c in self._samples(text))
        if equal and not padded and (isinstance(number, exp.Literal | exp.Column)):
            self._to_text(number)
        else:
            self._to_number(text)

    def _within(self, node: exp.Expr) -> None:
        query = node.args.get("query")
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        if isinstance(inner, exp.Select) and len(inner.selects) == 1:
            output = inner.selects[0].unalias()
            kinds = {self.kind(node.this), self.kind(output)}
            if Kind.TEXT in kinds and kinds & NUMBERS:
                for side in (node.this, output):
                    if self.kind(side) is not Kind.TEXT:
                        self._to_text(side)
        for literal in list(node.expressions):
            self._compare(node.this, literal)

    def _date_argument(self, node: exp.Expr) -> None:
        moment = node.expression if isinstance(node, exp.Extract) else node.this
        inner = moment.this if isinstance(moment, exp.Cast | exp.TsOrDsToDate) else moment
        if isinstance(inner, exp.Column) and self.kind(inner) is Kind.TEXT:
            self._to_date(inner)

    def _text_argument(self, node: exp.Expr) -> None:
        kind = self.kind(node.this)
        if kind is not None and kind is not Kind.TEXT and isinstance(node.this, exp.Column):
            self._to_text(node.this)

    def _set_operation(self, node: exp.Expr) -> None:
        left, right = node.this.unnest(), node.args["expression"].unnest()
        if not isinstance(left, exp.Select) or not isinstance(right, exp.Select):
            return
        for one, other in zip(left.selects, right.selects, strict=False):
            kinds = {self.kind(one.unalias()), self.kind(other.unalias())}
            if Kind.TEXT in kinds and kinds & (NUMBERS | DATES):
                for output in (one, other):
                    if self.kind(output.unalias()) is not Kind.TEXT:
                        self._to_text(output.unalias())


def _words(node: exp.Expr) -> str:
    column = node if isinstance(node, exp.Column) else node.find(exp.Column)
    return column.name if column is not None else node.sql()
