"""The linked question together with the schema, as the makers of choices look at it."""

from collections.abc import Container, Iterator
from functools import cached_property

from oldhand.agent.analyst.candidates.deeds import dating, with_deeds
from oldhand.agent.analyst.candidates.lookup import Lookup
from oldhand.agent.analyst.candidates.worth import line_amounts, worth_words
from oldhand.agent.analyst.linking.unknown import is_general
from oldhand.agent.analyst.words.entries import ColumnEntry
from oldhand.agent.analyst.words.links import Cue, Links, Mention, Span, spans
from oldhand.agent.analyst.words.vocabulary import Vocabulary
from oldhand.lexicon.entries import words
from oldhand.lexicon.tokens import STOP_WORDS, word_stems
from oldhand.lexicon.wording import is_past_form
from oldhand.lexicon.wordlists import word_lists
from oldhand.query.aggregates import AGGREGATES
from oldhand.query.form import Rows
from oldhand.record.schema import Kind

_OF_ALL, _LISTED = words("function_words.of_all"), words("function_words.listing")
_DURING = words("time.during")
_SELLING, _DOING, _TRAFFIC = words("verbs.selling"), words("verbs.do"), words("sorting.of_traffic")
_BIRTHS = word_stems("privacy.births") | word_stems("privacy.birthdays")
_TOLD = 2.0  # how surely a key is wanted that words tell


class Asked(Lookup):
    """One question: what stands where, and what the schema says about it."""

    def __init__(self, links: Links, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary)
        links, self.deeds = with_deeds(links, self)
        self.links = links
        self.named_tables: dict[int, float] = {}
        for option in (option for mention in links.tables for option in mention.options):
            self.named_tables[option.id] = max(self.named_tables.get(option.id, 0.0), option.score)
        for table in self.roles:
            own, named = vocabulary.tables[table].of, self.named_tables[table]
            self.named_tables[own] = max(self.named_tables.get(own, 0.0), named)
        self.implied_tables: dict[int, float] = {}
        for mention in links.columns:
            if mention.best.score >= 0.65 and not self.is_thing(mention, 1.0):
                self.implied_tables[self.column(mention.best.id).table] = 0.6
        held = (o for value in links.values if not links.tables for o in value.options)
        for option in (option for option in held if option.score >= 0.8):
            self.implied_tables.setdefault(self.column(option.column).table, 0.6)
        born = not links.tables and any(token.stem in _BIRTHS for token in links.tokens)
        self.implied_tables |= dict.fromkeys(vocabulary.ages if born else (), 0.6)
        worth = any(worth_words(links.tokens))
        speaks = worth or (links.dates and any(t.lower in _SELLING for t in links.tokens))
        self.deals = {a.deal for a in line_amounts(vocabulary)} if speaks else set[int]()
        """The tables that say when something was sold, where the question is about what it was worth, or when."""
        self.dating = self.deals | dating(links, self)
        """Those, and the tables that say when the lines that are counted or added up were."""
        carried = ({a.table, a.deal} for a in line_amounts(vocabulary) if worth)
        self.carrying = frozenset(one.role for one in links.ends).union(*carried)
        """The tables that hold what is spoken of: the roles that are told, and the lines that `revenue` names as `order lines` would."""
        self.implied_tables = dict.fromkeys(self.deals, 0.6) | self.implied_tables
        busy = any(cue.argument in _TRAFFIC for cue in links.cues_of("superlative"))
        if busy and not (self.named_tables or self.implied_tables):
            self.implied_tables = dict.fromkeys(self._happenings(), 0.6)
        self._trees: dict[frozenset[int], Rows | None] = {}
        self._wanted = {
            (self.column(option.id).table, self.column(option.id).column.name): option.score
            for mention in links.columns
            for option in mention.options
        }
        self._wanted |= {(one.holder, one.column): _TOLD for one in links.ends if one.wished}

    def _happenings(self) -> list[int]:
        """What happens in `our busiest month`: the only dated rows without a name that refer to others, or on which others hang."""
        joins, tables = self.vocabulary.joins, dict.fromkeys(entry.table for entry in self.times)
        dated = [t for t in tables if joins.held(t) and not self.has_name(t)]
        found = [table for table in dated if joins.holders(table)] or dated
        return found if len(found) == 1 else []

    def describes(self, mention: Mention) -> bool:
        """True for a participle before a thing: `discontinued tents`, `prescribed medication`."""
        return self.before_thing(mention) and is_past_form(self.word(mention.span.end - 1))

    def before_thing(self, mention: Mention) -> bool:
        """True right before a thing, or a value that stands for one."""
        things = (*self.links.tables, *self.links.values)
        return any(thing.span.start == mention.span.end for thing in things)

    def is_owner(self, mention: Mention) -> bool:
        """True for the players in `the positions of the players`: whose columns are asked for."""
        return any(one.span.end <= mention.span.start for one in self.owned(mention)[:1])

    def owned(self, mention: Mention) -> list[Mention]:
        """What is asked for of a thing: its codes and names in `the codes and names of all types`."""
        start = mention.span.start
        of = next((i for i in range(start - 1, start - 4, -1) if self.word(i) == "of"), -1)
        end = of if of > 0 and all(w in _OF_ALL for w in self.words(of + 1, start)) else -1
        found = [m for m in self.links.columns if m.span.holds(mention.span) and end > m.span.start]
        end = found[0].span.start if found else end
        for one in reversed(self.links.columns):
            if one.span.end <= end and all(w in _LISTED for w in self.words(one.span.end, end)):
                found.append(one)
                end = one.span.start
        return found if found and found[0].span.end >= of else []

    def stands_alone(self, mention: Mention) -> bool:
        """True for `job titles` and `product categories`: no things are named whose rows they are."""
        beside = [
            table
            for table in self.links.tables
            if table.best.score >= 0.5 and not table.span.overlaps(mention.span)
        ]
        return all(
            table.span.end == mention.span.start and not self.word(table.span.end - 1).endswith("s")
            for table in beside
        )

    def is_attribute(self, column: int) -> bool:
        """True for a column that neither names, numbers nor measures the rows of its table."""
        entry = self.column(column)
        label = entry.name_like and ("name" in entry.forms[0] or self.is_label(entry))
        plain = not (label or entry.key_like or entry.numeric or entry.temporal)
        return plain and entry.column.kind is not Kind.BOOLEAN

    def is_label(self, entry: ColumnEntry) -> bool:
        """True for the column that best stands for a row of its table."""
        return self.labels(entry.table)[0] == entry.id

    @cached_property
    def times(self) -> tuple[ColumnEntry, ...]:
        """The columns that hold dates."""
        tables = self.vocabulary.tables
        return tuple(e for e in self.vocabulary.columns if e.temporal and not tables[e.table].role)

    @cached_property
    def roles(self) -> tuple[int, ...]:
        """The roles that are named, as tables: `manager` in `employees and their managers`."""
        words = self.vocabulary.tables
        return tuple(t for t in self.named_tables if words[t].role and not words[t].is_end)

    @cached_property
    def ends(self) -> frozenset[int]:
        """The ends of keys that nouns name, as tables."""
        return frozenset(t for t in self.named_tables if self.vocabulary.tables[t].is_end)

    def told_of(self, table: int, position: int) -> float:
        """1 when a value is told of those in a role, or of others, as the words before it say; else -1.

        `Report to Lind` and `whose manager is Lind` tell who the manager is; `the manager of Lind`
        tells who is managed, and so does `who manages Lind`; `does Lind manage` tells who manages.
        """
        role = bool(self.vocabulary.tables[table].role)
        for mention in self.links.tables:
            acting = self.word(mention.span.start - 1) in ("who", "that", "does", "did")
            acting = acting or bool({"does", "did"} & set(self.words(position - 2, position)))
            acting = acting and not self.word(mention.span.start).startswith("report")
            if self.vocabulary.tables[mention.best.id].role and acting:
                return 1.0 if role != (mention.span.end <= position) else -1.0
            if self.vocabulary.tables[mention.best.id].role and mention.span.end <= position:
                between = self.words(mention.span.end, position)
                return 1.0 if role != ("of" in between) else -1.0
        return -1.0 if role else 1.0

    def is_subject(self, table: int) -> bool:
        """True for the table that the question names first: what is asked about."""
        if self.dating:
            return table in self.dating
        return bool(self.links.tables) and self.links.tables[0].best.id == table

    def is_aggregate_word(self, mention: Mention) -> bool:
        """True for `total` in `total revenue`: it tells how to compute the next column."""
        cues = self.links.cues_of(*AGGREGATES)
        span = mention.span
        whole = any(cue.span.start <= span.start and cue.span.end == span.end for cue in cues)
        return whole and any(not self.is_thing(one) for one in self.columns_after(span.end, 2))

    def is_group(self, mention: Mention) -> bool:
        """True for what stands right after `for each`: the choice of the group answers to it."""
        return self.cue_before(mention.span.start, 2, "per", "group") is not None

    def is_value(self, mention: Mention) -> bool:
        """True when the words are a value too, as `open` in `open tickets`."""
        return any(value.span.overlaps(mention.span) for value in self.links.values)

    def says_value(self, mention: Mention) -> bool:
        """True when a column is only named by a value or degree of it: `female staff` by their gender, `old cars` by their age.

        Such words narrow the rows; those of several values, as `male and female`, may also tell groups.
        """
        stated = mention.span.mask in {mask for mask, _ in self.links.stated}
        return not stated and any(self._is_value_word(mention, i) for i in mention.span.places)

    def _is_value_word(self, mention: Mention, place: int) -> bool:
        token, lists = self.links.tokens[place], word_lists()
        if any(token.stem in self.column(option.id).words for option in mention.options):
            return False
        described = token.stem in lists.measures or is_past_form(token.lower)
        described = described and not spans(self.links.cues) >> place & 1
        before_thing = self.word(place - 1) != "how" and any(self.tables_after(place + 1, 0))
        return bool(lists.written(token.lower)) or (described and before_thing)

    def is_verb(self, mention: Mention) -> bool:
        """True for a lone participle where rows are narrowed: `opened by`, `registered in`; and for the verb of `did each one work`."""
        if self._is_done_by_thing(mention):
            return True
        participle = is_past_form(self.word(mention.span.start))
        alone = mention.span.end == mention.span.start + 1
        return alone and participle and self.region(mention.span) == "F"

    def _is_done_by_thing(self, mention: Mention) -> bool:
        start = mention.span.start
        things = (m.span.start for m in self.links.tables if m.span.end == start)
        return any(_DOING & {*self.words(thing - 2, thing)} for thing in things)

    def word_near(self, column: int, start: int, reach: int = 4) -> float:
        """How well one of the words before a position fits a word of the column's name; `since` fits none of what is not spoken of."""
        told = self.column(column).table in self.named_tables
        said = self.links.tokens[max(0, start - reach) : start]
        stems = (one.stem for one in said if told or one.lower not in _DURING)
        hits = (hit for stem in stems for hit in self.vocabulary.hits(stem))
        return max((h.strength for h in hits if h.column == column and h.word >= 0), default=0.0)

    def tree(self, tables: set[int]) -> Rows | None:
        """The smallest tree that joins `tables`, over columns that the question names if it can."""
        if (key := frozenset(tables)) not in self._trees:
            self._trees[key] = self.vocabulary.joins.tree(key, self._wanted)
        return self._trees[key]

    def is_thing(self, mention: Mention, below: float = 0.9) -> bool:
        """True when the words of a column, known less well than `below`, better name a table."""
        if self._is_thing_and_deed(mention):
            return True
        if mention.best.score >= below:
            return False
        better = spans(t for t in self.links.tables if t.best.score > mention.best.score)
        start, end = mention.span.start, mention.span.end
        return bool(better & mention.span.mask) and all(
            better >> i & 1 or self._only_joins(mention.best.id, i) for i in range(start, end)
        )

    def _only_joins(self, column: int, position: int) -> bool:
        """True for `work in` of "employees work in stores": general words that are none of the column's."""
        token = self.links.tokens[position]
        general = token.lower in STOP_WORDS or is_general(token)
        return general and not self._is_called(column, position)

    def _is_thing_and_deed(self, mention: Mention) -> bool:
        """True for `tickets opened` and `suppliers come`, of which only a column's description speaks, and for `open tickets`."""
        start, end = mention.span.start, mention.span.end
        things = [
            m.span for m in self.links.tables if m.best.score >= 0.9 and m.span != mention.span
        ]
        adjective = end - start == 2 and self.column(mention.best.id).temporal
        if adjective and Span(end - 1, end) in things:
            return True
        named = Span(start, start + 1) in things
        deeds = [is_past_form(word) for word in self.words(start + 1, end)]
        described = not any(self._is_called(mention.best.id, i) for i in range(start + 1, end))
        return named and bool(deeds) and (all(deeds) or described)

    def _is_called(self, column: int, position: int) -> bool:
        """True when a word is one of the column's own name, or means the same."""
        hits = self.vocabulary.hits(self.links.tokens[position].stem)
        return any(hit.column == column and hit.word >= 0 for hit in hits)

    def region(self, span: Span) -> str:
        """The region in which a span starts."""
        return self.links.regions[span.start]

    def word(self, position: int) -> str:
        """The word at a position, lower case; empty outside of the question."""
        tokens = self.links.tokens
        return tokens[position].lower if 0 <= position < len(tokens) else ""

    def words(self, start: int, end: int) -> list[str]:
        """The words from `start` up to `end`, lower case."""
        return [token.lower for token in self.links.tokens[max(start, 0) : max(end, 0)]]

    def marked(self, words: Container[str], start: int = 0, end: int | None = None) -> int:
        """The tokens from `start` up to `end` that are one of these words, as bits."""
        last = len(self.links.tokens) if end is None else end
        return sum(1 << i for i in range(max(start, 0), last) if self.word(i) in words)

    def tables_after(self, position: int, reach: int) -> Iterator[Mention]:
        """Mentions of tables that start within `reach` tokens from `position` on."""
        return (m for m in self.links.tables if position <= m.span.start <= position + reach)

    def columns_after(self, position: int, reach: int) -> Iterator[Mention]:
        """Mentions of columns that start within `reach` tokens from `position` on."""
        return (m for m in self.links.columns if position <= m.span.start <= position + reach)

    def columns_before(self, position: int, reach: int) -> Iterator[Mention]:
        """Mentions of columns that end within `reach` tokens before `position`, nearest first."""
        nearest = reversed(self.links.columns)
        return (m for m in nearest if position - reach <= m.span.end <= position)

    def cue_before(self, position: int, reach: int, *kinds: str) -> Cue | None:
        """The nearest cue of these kinds that ends within `reach` tokens before `position`."""
        cues = self.links.cues_of(*kinds)
        near = (cue for cue in cues if position - reach <= cue.span.end <= position)
        return max(near, key=lambda cue: cue.span.end, default=None)

    def cue_after(self, position: int, reach: int, *kinds: str) -> Cue | None:
        """The nearest cue of these kinds that starts within `reach` tokens from `position` on."""
        cues = self.links.cues_of(*kinds)
        return next((c for c in cues if position <= c.span.start <= position + reach), None)

    def nearness(self, table: int) -> float:
        """How surely a table is meant: named itself, or next to one that is."""
        named = self.named_tables.get(table, 0.0)
        entry = self.vocabulary.tables[table]
        if entry.role and not named:
            if table not in self.carrying:
                return 0.0
            named = self.named_tables.get(entry.of, 0.0)
        edges = self.vocabulary.joins.edges(table)
        beside = max((self.named_tables.get(e.other(table), 0.0) for e in edges), default=0.0)
        return max(named, 0.3 * beside)

    def meant(self, table: int) -> float:
        """As `nearness`, where a column that is named speaks for its table too."""
        return max(self.nearness(table), self.implied_tables.get(table, 0.0))
