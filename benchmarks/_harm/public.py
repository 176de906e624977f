"""Cases from Spider's training part: how its questions are related is told by the difference of their queries."""

from collections.abc import Iterator, Sequence
from random import Random

from rapidfuzz.fuzz import token_sort_ratio

from benchmarks._harm.cases import Case, Kind, Probe
from benchmarks._harm.turning import opposites
from benchmarks._spider_data import Question, SpiderDatabase
from oldhand.query.difference import difference
from oldhand.query.form import Query
from oldhand.query.lifting import lift
from oldhand.query.normal import normal

CORRECTIONS = 6
"""Questions of each database that are corrected."""
RELATED = 6
"""Questions about the same tables, and about others, that are asked after each correction."""
LIGHT = 70
"""Likeness by letters, in percent, from which the words are lightly other ones."""


def cases(
    questions: Sequence[Question], databases: dict[str, SpiderDatabase], names: Sequence[str]
) -> Iterator[Case]:
    """Some corrections over each database, those first that have paraphrases."""
    for name in names:
        own = [(one, _lifted(one, databases[name])) for one in questions if one.database == name]
        order = Random(name).sample(range(len(own)), len(own))
        drawn = sorted(order, key=lambda place: not _has_twin(place, own))[:CORRECTIONS]
        for place in drawn:
            yield _case(place, own, databases[name])


Own = Sequence[tuple[Question, Query | None]]


def _lifted(question: Question, database: SpiderDatabase) -> Query | None:
    found = lift(question.gold, database.schema)
    return found if isinstance(found, Query) else None


def _has_twin(place: int, own: Own) -> bool:
    question, query = own[place]
    return query is not None and any(
        other is not question and other.gold == question.gold for other, _ in own
    )


def _case(place: int, own: Own, database: SpiderDatabase) -> Case:
    question, query = own[place]
    probes = [Probe(Kind.SAME, f"Please: {question.text}", question.gold)]
    related: list[Probe] = []
    unrelated: list[Probe] = []
    for number, (other, found) in enumerate(own):
        if number == place or query is None or found is None:
            continue
        kind = _relation(question, query, other, found)
        among = {Kind.RELATED: related, Kind.UNRELATED: unrelated}.get(kind, probes)
        among.append(Probe(kind, other.text, other.gold))
    random = Random(question.text)
    for among in (related, unrelated):
        probes += random.sample(among, min(RELATED, len(among)))
    if question.synonyms not in ("", question.text):
        probes.append(Probe(Kind.LIGHT, question.synonyms, question.gold))
    probes += [Probe(Kind.OPPOSITE, text) for text in opposites(question.text)]
    return Case(database, question.text, question.gold, tuple(probes))


def _relation(question: Question, query: Query, other: Question, found: Query) -> Kind:
    apart = difference(query, found)
    if not apart:
        near = token_sort_ratio(question.text.casefold(), other.text.casefold()) >= LIGHT
        return Kind.LIGHT if near else Kind.OTHER
    if not apart.only_one and not apart.only_other:
        exchanged = {one.what for one in apart.exchanged}
        if exchanged <= {"value", "time"}:
            return Kind.VALUE
        if exchanged == {"column"}:
            return Kind.COLUMN
    tables, others = ({p.key for p in normal(q) if p.kind == "relation"} for q in (query, found))
    return Kind.RELATED if tables & others else Kind.UNRELATED
