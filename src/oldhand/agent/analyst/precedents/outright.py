"""Where a question says itself what another one, that was misread, only seemed to say."""

from collections.abc import Iterator, Sequence

from oldhand.agent.analyst.precedents.adapting import Past
from oldhand.agent.analyst.precedents.agreeing import open_words
from oldhand.agent.analyst.precedents.gist import QuestionGist
from oldhand.agent.analyst.precedents.held import holds
from oldhand.agent.analyst.precedents.pool import marks_of
from oldhand.agent.analyst.understanding import Candidate
from oldhand.lexicon.inclusions import asks_for_all, tells_deed
from oldhand.lexicon.tokens import tokenise
from oldhand.query.blanking import blanked, values
from oldhand.query.form import Comparison, Node, Query
from oldhand.query.likeness import Mark
from oldhand.query.normal import Normal, normal
from oldhand.query.walk import columns

_DECIDING = ("where", "group", "select")


def held_against(candidates: Sequence[Candidate], seen: Sequence[Past]) -> list[Past]:
    """The pairs that may speak of a question: those that were corrected in what it says outright say nothing of it.

    `Which route is the most popular?` was read as the one with the most sailings, and corrected. Who asks for the route
    with the most sailings has said so. And a pair that leaves out cancelled orders, though its question says nothing of
    them, does not answer `orders by status`, nor `all orders, cancelled ones included`.

    Args:
        candidates: what the rules read the question as.
        seen: all pairs, seen from the question.
    """
    first = candidates[0] if candidates else None
    if first is None or not isinstance(first.query, Query):
        return [*seen]
    wrong: dict[str, frozenset[Mark]] = {}
    unsaid = {past.old.question for past in seen if past.precedent.right and _lacks_its_words(past)}
    for past in seen:
        if past.precedent.right and isinstance(past.precedent.query, Query):
            wrong[past.old.question] = past.read - marks_of(past.precedent.query)
    # Of an old question that says nothing of this one, neither what was right for it nor what was wrong does.
    silent = unsaid | {
        past.old.question
        for past in seen
        if (past.precedent.right or past.old.question not in wrong)
        and (
            _says_outright(first, wrong.get(past.old.question, frozenset()), past)
            or _decides(first.query, past)
            or _groups_further(first.query, past)
        )
    }
    return [past for past in seen if past.left.identical or past.old.question not in silent]


def _groups_further(own: Query, past: Past) -> bool:
    """Whether a question groups by more than an old one did, and than its pair does: `per driver and year` is not answered by rows per driver."""
    told = (marks_of(own), past.read, marks_of(past.precedent.query))
    ours, theirs, held = (frozenset(one for one in some if one[0] == "group") for some in told)
    return len(ours) > max(len(theirs), len(held)) and not ours <= held


def _decides(own: Query, past: Past) -> bool:
    """Whether a question decides itself about the rows that a pair leaves out without a word."""
    query = past.precedent.query
    if not isinstance(query, Query):
        return False
    silent = _silent(query, past)
    left_out = {column for one in silent for column in _columns(one.part.node)}
    if tells_deed(past.new.question) and not tells_deed(past.old.question):
        # `booked in May` says which day is meant, whatever `bookings in May` were.
        narrowed = {
            column
            for one in normal(own)
            if one.kind == "where"
            for column in _columns(one.part.node)
        }
        if any(not _columns(one.part.node) <= narrowed for one in _unread(query, past)):
            return True
    if left_out and asks_for_all(past.new.question) and not asks_for_all(past.old.question):
        return True
    if any(_is_said(one, past.new) for one in silent):
        return True
    known = {_mark(one) for one in silent}
    told = (one for one in normal(own) if one.kind in _DECIDING and _mark(one) not in known)
    return any(not left_out.isdisjoint(_columns(one.part.node)) for one in told)


def _silent(query: Query, past: Past) -> list[Normal]:
    """The conditions of a pair on what nothing in its question was read as a condition on."""
    read = {column for kind, key in past.read if kind == "where" for column in _columns(key)}
    unread = (one for one in _unread(query, past) if not _is_said(one, past.old))
    return [one for one in unread if read.isdisjoint(_columns(one.key))]


def _unread(query: Query, past: Past) -> Iterator[Normal]:
    """The conditions of a pair that the rules read into nothing of its question."""
    where = (one for one in normal(query) if one.kind == "where")
    return (one for one in where if past.read.isdisjoint(_marks(one)))


def _lacks_its_words(past: Past) -> bool:
    """Whether a question merely lacks the words of an old one that may have meant its conditions: `bookings` are not the `big parties` among them."""
    query, left = past.precedent.query, past.left
    if not isinstance(query, Query) or open_words(left) or left.new_slots:
        return False
    gone = any(
        amount >= word.weight >= 1 and not (word.tables or word.columns or word.cue)
        for word, amount in left.old_words
    )
    return gone and bool(_silent(query, past))


def _is_said(one: Normal, question: QuestionGist) -> bool:
    """Whether a question names a value that a condition compares with."""
    node = one.part.node
    said = node.values if isinstance(node, Comparison) else ()
    return any(holds(value, slot) for value in said for slot in question.slots)


def _columns(node: object) -> set[tuple[str, str, str, str]]:
    read = columns(node) if isinstance(node, Node) else ()
    return {(it.of.database, it.of.schema, it.of.table, it.name) for it in read}


def _says_outright(first: Candidate, wrong: frozenset[Mark], past: Past) -> bool:
    """Whether the new question names what only the reading of the old one had."""
    if not wrong or not isinstance(first.query, Query):
        return False
    old = {word.stem for word in past.old.words}
    # Who says clients for customers has said nothing else.
    other = {word.stem for word, amount in past.left.new_words if 2 * amount > word.weight}
    new = [word for word in past.new.words if word.stem in other - old]
    named = {word.stem for word in new if word.tables or word.columns}
    stems = [token.stem for token in tokenise(past.new.question)]
    for one in normal(first.query):
        origin = first.origins.origin(one.part)
        said = {stems[place] for place in origin.words} if origin is not None else set[str]()
        # `moved in May` says which day is meant, though no column is called so.
        telling = {word.stem for word in new} if one.kind == "where" else named
        if said & telling and not wrong.isdisjoint(_marks(one)):
            return True
    return False


def _mark(one: Normal) -> Mark:
    return one.kind, one.key


def _marks(one: Normal) -> Iterator[Mark]:
    yield one.kind, one.key
    yield one.kind, blanked(one.key, values)
