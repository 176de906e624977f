"""Finds in a confirmed pair what a phrase means that is no name of one thing: some rows of a table, or a number computed of each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlglot import exp

from oldhand.agent.analyst.aliases.gate import may_be_learned
from oldhand.agent.analyst.aliases.open_ends import LONGEST, learned_form
from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.understanding import Understanding, understand
from oldhand.agent.analyst.words.links import Span, spans
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, Token
from oldhand.lexicon.wording import plural, singular
from oldhand.query.compiling.tree import to_tree
from oldhand.query.form import (
    Aggregate,
    ColumnRef,
    Comparison,
    Count,
    Expression,
    Predicate,
    Query,
    Relation,
    Rows,
)
from oldhand.query.known import kind_of
from oldhand.query.normal import asks_alike
from oldhand.query.walk import columns, relations
from oldhand.record.effect import Alias
from oldhand.record.schema import DATES, DatabaseSchema
from oldhand.sources.databases.values import Values

_HOUSE, _AUXILIARY = words("money.house"), words("verbs.auxiliary")
_AMOUNTS = words("money.asked_for") | words("money.worth")
_PARTICLES = words("verbs.particles")
_AFTER = words("time.after_parts") | words("function_words.stop")
_TRIED = 12
"""Phrases and meanings that are tried together at most."""


@dataclass(frozen=True)
class Defining:
    """One question beside the query that is right for it."""

    asked: Asked
    query: Query
    read: Understanding
    """What the question is read as without help."""
    schemas: tuple[DatabaseSchema, ...]
    values: Values

    def found(self) -> Alias | None:
        """The word with which the question is read as was confirmed; None where there is none, or it is so without help."""
        if self._asks_the_same(self.read):
            return self._compound()
        phrases = tuple(self._phrases())
        tried = (
            alias
            for table, meaning in self._meanings()
            for phrase in (*phrases, *(self._computed() if "formula" in meaning else ()))
            for alias in self._aliases(phrase, table, meaning)
        )
        return self._first_fit(islice(tried, _TRIED))

    def _first_fit(self, aliases: Iterable[Alias]) -> Alias | None:
        known = self.asked.vocabulary
        fit = (one for one in aliases if may_be_learned(one, known) and self._explains(one))
        return next(fit, None)

    def _compound(self) -> Alias | None:
        """A plural behind the name of a table that is read, as one name with it: `storage rentals`, where the table is called storage."""
        links = self.asked.links
        read = {self.asked.vocabulary.table(one).id: one for one in relations(self.query)}
        taken = spans((*links.tables, *links.columns, *links.values, *links.dates, *links.cues))
        for named in links.tables:
            end = named.span.end
            token = links.tokens[end] if end < len(links.tokens) and not taken >> end & 1 else None
            if named.best.id in read and token is not None and _is_several(token):
                name = Span(named.span.start, end + 1)
                return self._first_fit(self._aliases(name, read[named.best.id], {}))
        return None

    def _explains(self, alias: Alias) -> bool:
        found = understand(self.asked.links.question, self.schemas, self.values, limit=1, aliases=(alias,))  # fmt: skip
        return alias in found.aliases and not found.unknown_words and self._asks_the_same(found)

    def _asks_the_same(self, found: Understanding) -> bool:
        first = found.candidates[0].query if found.candidates else None
        return isinstance(first, Query) and asks_alike(first, self.query)

    def _meanings(self) -> Iterator[tuple[Relation, dict[str, str]]]:
        """What a phrase could mean: the conditions on one table that nothing says, or what is computed of its rows; as `Alias` has it."""
        lacking: dict[Relation, list[Predicate]] = defaultdict(list)
        # What a row without a partner lacks says nothing of the partner.
        outside = {side for join in self.query.rows.joins if join.outer for side in (join.left, join.right)}  # fmt: skip
        for one in self.query.where:
            own = {column.of for column in columns(one)}
            if len(own) == 1 and not own & outside and not self._is_said(one):
                lacking[next(iter(own))].append(one)
        for relation, conditions in lacking.items():
            yield relation, {"condition": _condition(relation, conditions)}
        for term in self.query.select:
            computed = term.of if isinstance(term, Aggregate) else term
            if not isinstance(computed, ColumnRef | Count) and (own := self._holder(computed)):
                yield own, {"formula": _formula(computed, own, self.query.rows)}

    def _holder(self, computed: Expression) -> Relation | None:
        """The table of whose rows something is computed: the only one that it reads, or the one that refers to all others."""
        read = set(relations(computed))
        leads = {(join.left, join.right) for join in self.query.rows.joins}
        holders = (
            one for one in read if all(one == other or (one, other) in leads for other in read)
        )
        return next(holders, None)

    def _is_said(self, condition: Predicate) -> bool:
        """Whether the question names the value that a condition compares with, or a time for one on a date."""
        if not isinstance(condition, Comparison):
            return False
        links, named = self.asked.links, set(columns(condition))
        if any(kind_of(one, self.schemas) in DATES for one in named):
            return bool(links.dates)
        said = {str(value) for one in links.values for option in one.options for value in option.values}  # fmt: skip
        numbers = {number.value for number in links.numbers}
        values = condition.values
        return bool(values) and all(str(one) in said or one in numbers for one in values)

    def _computed(self) -> Iterator[Span]:
        """What may be the name of an amount though it was read as another one: `treatment revenue`, `revenue`; else a verb."""
        links = self.asked.links
        taken = spans((*links.values, *links.numbers, *links.dates, *links.cues))
        for place, token in enumerate(links.tokens):
            if token.lower not in _AMOUNTS or taken >> place & 1:
                continue
            before = links.tokens[place - 1] if place else token
            if place and before.is_word and not is_general(before) and before.lower not in STOP_WORDS and not taken >> place - 1 & 1:  # fmt: skip
                yield Span(place - 1, place + 1)
            yield Span(place, place + 1)
        yield from self._deeds()

    def _deeds(self) -> Iterator[Span]:
        """What somebody asks the amount of, where nothing but a verb says it: `how much did we make`, `how much do bookings bring in`."""
        links = self.asked.links
        named = spans((*links.tables, *links.values, *links.numbers, *links.dates))
        said = [token.lower for token in links.tokens]
        for place in range(2, len(said)):
            after = said[place + 1 :]
            told = after[:1] and after[0] in _PARTICLES and (after[1:2] or ["?"])[0] in _AFTER
            span = Span(place - 1, place + 1) if said[place - 1] in _HOUSE else Span(place, place + 2) if told else None  # fmt: skip
            if span and said[place] not in _AUXILIARY and not span.mask & named:
                yield span

    def _phrases(self) -> Iterator[Span]:
        """Runs of words that the reading without help leaves out, also with a word that stands before or behind."""
        links = self.asked.links
        lost = {word.lower() for word in self.read.unknown_words or self.read.left_out}
        open_ = [
            place
            for place, token in enumerate(links.tokens)
            if token.is_word and token.lower in lost and not is_general(token)
        ]
        runs: list[Span] = []
        for place in open_:
            if runs and runs[-1].end == place:
                runs[-1] = Span(runs[-1].start, place + 1)
            else:
                runs.append(Span(place, place + 1))
        taken = spans((*links.values, *links.numbers, *links.dates, *links.cues))
        for run in runs:
            wider = (Span(run.start - 1, run.end), run, Span(run.start, run.end + 1))
            for span in wider:
                inside = span.start >= 0 and span.end <= len(links.tokens) and span.end - span.start <= LONGEST  # fmt: skip
                if inside and not span.mask & taken and self._is_phrase(span):
                    yield span

    def _is_phrase(self, span: Span) -> bool:
        """False where a word at an end says nothing by itself, or the phrase is the name of a table."""
        said = self.asked.links.tokens[span.start : span.end]
        ends = all(token.is_word and not is_general(token) for token in (said[0], said[-1]))
        things = spans(m for m in self.asked.links.tables if m.best.score >= 1)
        return ends and not things & span.mask

    def _aliases(self, span: Span, relation: Relation, meaning: dict[str, str]) -> Iterator[Alias]:
        text = " ".join(self.asked.links.text(span).lower().split())
        try:
            yield Alias.model_validate({
                "phrase": learned_form(text), "database": relation.database,
                "schema_name": relation.schema or None, "table": relation.table, **meaning,
            })  # fmt: skip
        except ValueError:
            return  # no rule can hold it


def _is_several(token: Token) -> bool:
    """True for a plural that may name things."""
    return plural(token.lower) == token.lower != singular(token.lower) and not is_general(token)


def _condition(relation: Relation, conditions: Sequence[Predicate]) -> str:
    tree = to_tree(Query(Rows((relation,)), (Count(),), tuple(conditions)))
    return _named(tree.args["where"].this, tree, relation)


def _formula(term: Expression, own: Relation, rows: Rows) -> str:
    tree = to_tree(Query(rows, (term,)))
    return _named(tree.expressions[0].unalias(), tree, own)


def _named(part: exp.Expr, tree: exp.Expr, own: Relation) -> str:
    """A part of a statement, the columns of its own table by their bare names, others by their tables'."""
    made = part.copy()
    tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    inside = {table.alias_or_name for table in made.find_all(exp.Table)}
    for column in made.find_all(exp.Column):
        if column.table in tables and column.table not in inside:
            name = tables[column.table]
            column.set("table", None if name == own.table else exp.to_identifier(name))
    for table in made.find_all(exp.Table):
        table.set("db", None)
        table.set("catalog", None)
    return made.sql()
