"""Predicates in words, to stand behind the noun of the rows that meet them: `in Berlin`, `with price above 10`."""

from abc import abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from oldhand.lexicon.tokens import stem
from oldhand.lexicon.wording import human, is_past_form, listed, plural, singular
from oldhand.query.describing.nouns import (
    NAMES,
    PLACES,
    happened,
    is_deed,
    is_obvious_key,
    is_same_column,
    link,
    noun,
    one_of,
    owner_of,
    place_of,
    said_name,
)
from oldhand.query.describing.roles import article, in_their_role, role_by, role_of
from oldhand.query.describing.terms import Terms
from oldhand.query.describing.values import (
    DAY,
    against,
    amount,
    at_time,
    flagged,
    part_when,
    pattern,
    when,
    with_joined_names,
)
from oldhand.query.form import (
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Case,
    ColumnRef,
    Comparison,
    Count,
    DatePart,
    Expression,
    Function,
    Has,
    Negation,
    Predicate,
    Query,
    Relation,
    Value,
)
from oldhand.query.known import is_stated
from oldhand.query.lifting.roles import role_name
from oldhand.query.walk import columns

_PLAIN = frozenset({"lower", "upper", "trim"})
"""Functions of which only an exact description speaks, and casts."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    text: str
    nested: bool = False
    """True when it speaks of other rows, so that what follows would be read as theirs."""


class Conditions(Terms):
    """Says what rows must meet."""

    @abstractmethod
    def whole(self, query: Query) -> str:
        """A query inside."""

    def conditions(self, predicates: Sequence[Predicate], also: Sequence[str] = ()) -> str:
        """What rows must meet, to stand behind their noun; empty without predicates."""
        own: list[_Phrase] = []
        others: dict[Relation, list[Predicate]] = {}
        alone = len(predicates) == 1
        for predicate in predicates:
            owner = owner_of(predicate)
            if owner is None or owner == self.main or self.main is None:
                own.append(self._phrase(predicate, alone=alone))
            else:
                others.setdefault(owner, []).append(predicate)
        own += [
            _Phrase(self._linked(owner, self.on(owner).conditions(those)), True)
            for owner, those in others.items()
        ]
        return self._sentence([*own, *(_Phrase(said, True) for said in also)])

    def _linked(self, other: Relation, said: str) -> str:
        """Conditions on another relation: `of customers in Berlin`, `with manager Ann Lee`."""
        main = self.main
        role = role_of(other, self.rows, self.schemas) if self.rows is not None else ""
        bare = said.removeprefix("named ") if said.startswith("named ") else ""
        if is_deed(role):
            return f"{role} {bare or f'{plural(human(other.table))} {said}'}"
        if role:
            return f"with {role} {bare}" if bare else f"with {article(role)}{role} {said}"
        if main is not None and other.table == main.table and self.rows is not None:
            return f"of {bare}" if bare else f"of those {said}"
        word = link(main, other, self.rows) if main is not None and self.rows is not None else "of"
        return f"{word} {noun(other)} {self.unechoed(said, other)}"

    def unechoed(self, said: str, relation: Relation) -> str:
        """Conditions without a first word that only repeats the noun: orders `ordered in 2024`."""
        first, _, rest = said.partition(" ")
        if self.exact or not is_past_form(first):
            return said
        return rest if stem(first) == stem(one_of(relation).split(" ")[-1]) else said

    def _sentence(self, phrases: Sequence[_Phrase]) -> str:
        """Places first, then what stands behind `with`, said once, then the rest, and last what speaks of other rows."""
        plain = [phrase.text for phrase in phrases if not phrase.nested]
        plain = plain if self.exact else with_joined_names(plain)
        parts = [said for said in plain if said.startswith("in ")]
        withs = [said.removeprefix("with ") for said in plain if said.startswith("with ")]
        parts += [f"with {listed(withs)}"] if withs else []
        parts += [said for said in plain if not said.startswith(("in ", "with "))]
        said = " ".join(parts) if not self.exact else " and ".join(parts)
        for number, phrase in enumerate(one for one in phrases if one.nested):
            joined = number or withs or not phrase.text.startswith("of ")
            said += f"{' and ' if said and joined else ' ' * bool(said)}{phrase.text}"
        return said

    def _phrase(self, predicate: Predicate, *, alone: bool = True) -> _Phrase:
        match predicate:
            case AllOf(predicates=parts):
                return _Phrase(f"both {listed([self._one(one) for one in parts])}", True)
            case AnyOf(predicates=(Comparison(operator="null") as missing, other)) if (
                not self.exact and other == Comparison(missing.left, "=", ("",))
            ):
                return self._comparison(missing)
            case AnyOf(predicates=parts):
                either = "" if alone else "either "
                return _Phrase(either + listed([self._one(one) for one in parts], "or"), True)
            case Negation(predicate=inner):
                return _Phrase(f"except those {self._one(inner)}", True)
            case Has():
                return _Phrase(self._has(predicate), not self._in_role(predicate))
            case Comparison():
                return self._comparison(predicate)

    def _one(self, predicate: Predicate) -> str:
        """One of several predicates that are joined otherwise than by `and`; it may speak of any relation."""
        owner = owner_of(predicate)
        if owner is None or owner == self.main or self.main is None:
            return self._phrase(predicate, alone=False).text
        return self._linked(owner, self.on(owner).conditions((predicate,)))

    # Comparisons.

    def _comparison(self, it: Comparison) -> _Phrase:
        left = it.left
        if not self.exact:
            while isinstance(left, Function) and (left.name in _PLAIN or left.name[:5] == "cast "):
                left = left.of[0]
        valued = not self.exact and (it.operator, it.right) == ("!=", ("",))
        if valued or it.operator.endswith("null"):
            return _Phrase(self._known(left, known=it.operator != "null"))
        if it.query is not None or it.other is not None:
            said = against(it.operator, [self._other_side(it)], timely=self.is_timely(left))
            return _Phrase(f"with {self.term(left)} {said}", it.query is not None)
        texts = [value for value in it.values if isinstance(value, str)]
        timely = bool(texts) and len(texts) == len(it.values) and all(map(DAY.match, texts))
        match left:
            case Count(of=None) if it.operator.removeprefix("not ") not in ("like", "null"):
                return _Phrase(f"with {self.counting(it)}")
            case DatePart(of=ColumnRef(name=name), part=part) if said := part_when(part, it.operator, it.values):  # fmt: skip
                return _Phrase(at_time(name, said) if self.exact else said)
            case ColumnRef(name=name) if timely and "like" not in it.operator:
                return _Phrase(at_time(name, when(it.operator, texts)))
            case ColumnRef(name=name) if _is_flag(it, name, exact=self.exact):
                value, stated = it.values[0] == (it.operator == "="), is_stated(left, self.schemas)
                return _Phrase(flagged(said_name(name), value=bool(value), stated=stated))
            case ColumnRef(name=name) if not self.exact and it.operator in ("=", "in"):
                return _Phrase(self._with(name, it))
            case _:
                return _Phrase(f"with {self.term(left)} {self.against(it)}")

    def _with(self, column: str, it: Comparison) -> str:
        """`in Berlin`, `named Ann`: where the value tells what the column is."""
        name, said = said_name(column), self.against(it)
        if name.rpartition(" ")[2] in PLACES and isinstance(it.values[0], str):
            return f"in {said}"
        return f"named {said}" if name in NAMES else f"with {name} {said}"

    def against(self, it: Comparison) -> str:
        """What values something is compared with."""
        plain = it.operator.removeprefix("not ")
        read = columns(it.left)
        name = read[0].name if read else ""
        if plain == "like":
            verb, inner = pattern(str(it.values[0]))
            negated = "not " if plain != it.operator else ""
            return f"{negated}{verb} {self.value(inner)}"
        return against(it.operator, [self.value(value, name) for value in it.values])

    def counting(self, it: Comparison, things: str | None = None) -> str:
        """How many rows a group must have: `more than 5 orders`."""
        numbers = [value if isinstance(value, str) else f"{value:,}" for value in it.values]
        if things is None:
            relation = self.counted()
            things = noun(relation) if relation is not None else "rows"
        if it.values == (1,):
            first, _, rest = things.partition(" with ")
            things = singular(first) + (f" with {rest}" if rest else "")
        return f"{amount(it.operator, numbers)} {things}".rstrip()

    def _known(self, left: Expression, *, known: bool) -> str:
        event = happened(left.name) if isinstance(left, ColumnRef) else None
        if event:
            return event[0] if known else f"not {event[0]}"
        if not isinstance(left, ColumnRef) or (self.exact and left.name.endswith("s")):
            return f"with {'known' if known else 'unknown'} {self.term(left)}"
        name = said_name(left.name) if self.exact else said_name(left.name).removesuffix(" id")
        several = name.endswith("s") and not name.endswith("ss")
        return f"{'with' if known else 'without'} {'' if several else article(name)}{name}"

    def _other_side(self, it: Comparison) -> str:
        if it.query is None:
            bare = isinstance(it.other, Value | Arithmetic | Function | Case)
            return "" if it.other is None else f"{'' if bare else 'the '}{self.term(it.other)}"
        inner, average = it.query, it.query.select[0]
        plain = not (inner.where or inner.group or inner.limit or inner.compound)
        own = isinstance(average, Aggregate) and average.function == "avg" and average.of == it.left
        return "the average" if plain and own and not self.exact else f"the {self.inside(inner).whole(inner)}"  # fmt: skip

    # Rows that others speak of.

    def _has(self, it: Has) -> str:
        query, shown, left = it.rows, it.rows.select[0], it.left
        word = "without" if it.none else "with"
        known = Comparison(shown, "not null")
        where = tuple(part for part in query.where if part != known)
        cut = query.limit is not None or query.compound is not None or query.each
        if isinstance(shown, ColumnRef) and isinstance(left, ColumnRef) and not cut:
            partner = self._partner(left, shown, query)
            inner = self.inside(query, partner)
            if role := self._in_role(it):
                said = f"nobody's {role}" if it.none else f"the {role} of others"
                return f"that are {said} {inner.conditions(where)}".rstrip()
            if not query.having and (role := role_by(shown, left.of, self.schemas)):
                return in_their_role(role, inner.things(where, {shown.of}), none=it.none)
            if partner == shown.of and is_same_column(left, shown) and not query.having:
                return f"{'not ' if it.none else ''}among {inner.things(where, set(), 'those')}"
            if is_obvious_key(left, shown, self.schemas):
                led = {shown.of} if partner != shown.of else set[Relation]()
                things = inner.things(where, led)
                if not query.having:
                    return f"{word} {'any ' if self.exact else ''}{things}"
                if query.group == query.select:
                    return f"{word} {inner.numerous(query.having, things)}"
        among = self.inside(query).whole(replace(query, where=where))
        said = f"the {among.removeprefix('each ')}"
        return f"with {self.term(left)} {'not ' if it.none else ''}among {said}"

    def _partner(self, left: ColumnRef, shown: ColumnRef, query: Query) -> Relation:
        """The relation that a row must, or must not, have a partner in; others only lead there."""
        others = [one for one in query.rows.relations if one != shown.of]
        told = self.exact or any(owner_of(one) == shown.of for one in query.where)
        leads = place_of(shown.of) == place_of(left.of) or not told
        return others[0] if leads and len(others) == 1 else shown.of

    def _in_role(self, it: Has) -> str:
        """What rows are to others of their own table: the `manager` of others; empty for other predicates."""
        shown, left = it.rows.select[0], it.left
        if not isinstance(shown, ColumnRef) or not isinstance(left, ColumnRef) or it.rows.having:
            return ""
        own = place_of(shown.of) == place_of(left.of) and len(it.rows.rows.relations) == 1
        return role_name(shown.name, left.name) if own and shown.name != left.name else ""

    def numerous(self, having: Sequence[Predicate], things: str) -> str:
        """What the partners of a row must meet together: `more than 3 items with price above 10`."""
        said: list[str] = []
        for it in having:
            if isinstance(it, Comparison) and it.left == Count() and it.values:
                few = it.operator in ("<", "<=", "!=") or it.operator.startswith("not ")
                many = self.counting(it, "" if few else things)
                said.append(f"{things}, but {many}" if few else many)
            elif isinstance(it, Comparison):
                one = self.said(it.left)
                compared = self._comparison(it).text.removeprefix(f"with {self.term(it.left)}")
                said.append(f"{one.head} of {things}{one.tail}{compared}")
            else:
                said.append(f"{things} {self._phrase(it).text}")
        return listed(said)

    def things(
        self,
        where: Sequence[Predicate],
        said: AbstractSet[Relation | None],
        things: str = "",
    ) -> str:
        """The rows that are spoken of, with what they meet, and what they are joined with; relations that only lead to others go without saying."""
        rows, main = self.rows, self.main
        if rows is None or main is None:
            return things
        told = {main, *said, *map(owner_of, where)}
        ends = [end for join in rows.joins for end in (join.left, join.right)]
        others = [one for one in rows.relations if one not in told and ends.count(one) == 1]
        more = [f"{link(main, other, rows)} {noun(other)}" for other in others]
        conditions = self.unechoed(self.conditions(where, more), main)
        return f"{things or noun(main)} {conditions}".rstrip()


def _is_flag(it: Comparison, name: str, *, exact: bool) -> bool:
    """True where a column says of each row whether something holds; `is_active = 1` does so, too, where it need not be read back."""
    if len(it.values) != 1 or it.operator not in ("=", "!="):
        return False
    asks = not exact and said_name(name).startswith(("is ", "has ")) and it.values[0] in (0, 1)
    return asks or isinstance(it.values[0], bool)
