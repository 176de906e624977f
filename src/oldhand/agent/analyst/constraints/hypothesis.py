"""A query beside the question that it may answer, as the constraints look at it."""

from functools import cached_property
from itertools import chain

from oldhand.agent.analyst.candidates.asked import Asked
from oldhand.agent.analyst.candidates.choices import ChoiceDraft
from oldhand.agent.analyst.candidates.conditions import Condition, single
from oldhand.agent.analyst.words.ends import tells_doer
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import ToldEnd, bits, spans
from oldhand.query.form import Query, Share
from oldhand.query.walk import all_queries, function_of, is_measure, relations


class Hypothesis:
    """One query, the question, and the choices that the query was made of."""

    def __init__(self, asked: Asked, query: Query, draft: ChoiceDraft) -> None:
        self.asked = asked
        self.query = query
        self.draft = draft

    def rests_on(self, feature: str) -> bool:
        """True when a choice was made that has a feature, such as `hierarchy.told`."""
        return any(name == feature for c in self.draft.choices for name, _ in c.features)

    def cues(self, *kinds: str) -> int:
        """The tokens of all cues of some kinds, as bits."""
        return spans(self.asked.links.cues_of(*kinds))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions on single rows, and those that a share is of."""
        parts = (part.when for part in self.query.select if isinstance(part, Share))
        return tuple(single((*self.query.where, *chain.from_iterable(parts))))

    @cached_property
    def read(self) -> set[int]:
        """The columns that it reads, those of queries inside it, too."""
        found = self._own
        return found | {self.asked.plain(column) for column in found}

    @cached_property
    def _own(self) -> set[int]:
        return {entry.id for entry in self.asked.reading(all_queries(self.query))}

    @cached_property
    def tables(self) -> set[int]:
        """The tables that it reads, those of queries inside it, too."""
        read = relations(self.query, inner=True)
        found = [self.asked.vocabulary.table(each) for each in read]
        return {each.id for each in found} | {each.of for each in found if each.is_end}

    @cached_property
    def shown(self) -> set[int]:
        """The tables of the columns that are shown."""
        return self.asked.owners(self.query.select)

    @cached_property
    def sorted_by(self) -> list[ColumnEntry]:
        """The columns of single rows that are sorted by."""
        plain = (order.by for order in self.query.order if not is_measure(order.by))
        return self.asked.entries(plain)

    @cached_property
    def _keys(self) -> set[tuple[int, str]]:
        """The columns by which tables are joined."""
        return {
            (self.asked.vocabulary.table(side).id, pair[place])
            for query in all_queries(self.query)
            for join in query.rows.joins
            for place, side in enumerate((join.left, join.right))
            for pair in join.keys
        }

    @cached_property
    def _spoken_of(self) -> set[int]:
        """The tables of which something is read, or that lead on to others."""
        leading = {
            self.asked.vocabulary.table(side).id
            for query in all_queries(self.query)
            for side in query.rows.relations
            if sum(side in (join.left, join.right) for join in query.rows.joins) > 1
        }
        return leading | {self.asked.column(column).table for column in self._own}

    def speaks_of(self, end: ToldEnd) -> bool:
        """True when it follows a key that is told, and reads it, something of the rows that it leads to, or of others behind them."""
        role = self.asked.vocabulary.tables[end.role]
        meant = {end.role, role.of} if end.wished else {end.role}
        follows = (end.holder, end.column) in self._keys and bool(meant & self._spoken_of)
        return follows or self.asked.named(end.holder, end.column) in self._own

    @cached_property
    def deeds(self) -> int:
        """The tokens of verbs that tell a key which it follows: `curated`, of exhibitions by their `curator_id`."""
        keys = {column for _, column in self._keys}
        places = enumerate(self.asked.links.tokens)
        return bits(1 << p for p, token in places if any(tells_doer(token, key) for key in keys))

    def follows(self, holder: int, column: str) -> bool:
        """True when rows of a table are joined, or looked for, by that key of theirs."""
        return (holder, column) in self._keys or self.asked.named(holder, column) in self._own

    def compared(self, *operators: str) -> list[ColumnEntry]:
        """The columns that conditions with some operators are about; with any operator when none is given."""
        chosen = (c.left for c in self.conditions if not operators or c.operator in operators)
        return self.asked.entries(chosen)

    def measured(self, *functions: str) -> list[ColumnEntry]:
        """The shown columns that are added up, counted or the like."""
        return self.asked.entries(t for t in self.query.select if function_of(t) in functions)

    def names(self, column: ColumnEntry, score: float = 0.5) -> bool:
        """True when words of the question name a column."""
        options = (option for mention in self.asked.links.columns for option in mention.options)
        return any(option.id == column.id and option.score >= score for option in options)
