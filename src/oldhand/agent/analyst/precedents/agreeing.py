"""Whether a judged question and a new one mean the same way round: a query that answers the one can't answer its opposite."""

from collections.abc import Iterator, Mapping

from oldhand.agent.analyst.precedents.adapting import QueryChange
from oldhand.agent.analyst.precedents.answering import SURE
from oldhand.agent.analyst.precedents.comparing import QuestionDifference
from oldhand.agent.analyst.precedents.forms import MEASURES, SHARE, forms_of
from oldhand.agent.analyst.precedents.gist import GistSlot, QuestionGist, Word
from oldhand.agent.analyst.precedents.held import holds, values_of
from oldhand.lexicon.entries import words

THINGS = "things"
"""The respect in which questions ask for rows of different tables."""
CONTEXT = 2
"""Words and values that two questions share at least for each word that one of them says otherwise."""
_AS_WELL: Mapping[str, str] = {"top": "falling", "bottom": "rising"}
"""`the highest first` says the same as `in falling order`."""
_OPPOSITE: Mapping[str, str] = {
    "top": "bottom", "bottom": "top", "rising": "falling", "falling": "rising",
    "above average": "below average", "below average": "above average",
}  # fmt: skip
_GROUPS = ("by", "each")
"""Parts that what rows are grouped by plays."""
_PREFIXES = words("negation.prefixes")


def clash(new: QuestionGist, old: QuestionGist, left: QuestionDifference) -> str:
    """In which respect no exchange can make two questions agree; empty where they may.

    Args:
        new: the question that is asked.
        old: the one that was judged.
        left: what only one of them says.

    Returns:
        `polarity`, `measure`, `operands` or `things`.
    """
    if left.identical:
        return ""
    respects = {
        "polarity": new.signs.negated != old.signs.negated or _has_opposites(left),
        "measure": (SHARE in new.forms) != (SHARE in old.forms),
        "operands": _differ(new.signs.joined, old.signs.joined)
        or _swapped(new, old)
        or _in_other_times(new, old)
        or _differ(new.signs.scales, old.signs.scales),  # `the first` and `the best`
        THINGS: _of_other_things(new, old, left),
    }
    return next((respect for respect, differs in respects.items() if differs), "")


def unexchanged(change: QueryChange, new: QuestionGist, old: QuestionGist) -> str:
    """In which respect an adapted query still answers another question than the new one; empty where it doesn't."""
    if change.left.identical:
        return ""
    return next(_unexchanged(change, new, old), "")


def is_near(left: QuestionDifference) -> bool:
    """True when two questions differ in no word with content and in no value."""
    content = [word for word, _ in (*left.new_words, *left.old_words) if _is_content(word)]
    return not content and not left.new_slots and not left.old_slots


def _is_content(word: Word) -> bool:
    return word.weight >= 1.0 and not word.cue and word.stem not in words("negation.excluding")


def _unexchanged(change: QueryChange, new: QuestionGist, old: QuestionGist) -> Iterator[str]:
    yield from ("measure",) if _measures_otherwise(change, new) else ()
    yield from ("direction",) if _points_elsewhere(change, new) else ()
    yield from ("operands",) if _leaves_values(change) or _goes_by_another(change, new, old) else ()
    if any(not _compares_alike(change, *pair) for pair in _pairs(change, new, old)):
        yield "time"


def _measures_otherwise(change: QueryChange, new: QuestionGist) -> bool:
    """True when only one question names a measure, and the query has another one."""
    left, forms = change.left, forms_of(change.query)
    if _asks_for_things(new) and any(one in MEASURES and other in _AS_WELL for one, other in change.turned):  # fmt: skip
        return True  # `which sailing has the highest yield` wants no yield
    asked = left.new_forms & MEASURES
    if "count" in new.forms:  # as in `the total number` and `how many in total`
        asked -= {"sum"}
    if "each" in left.new_forms - forms and "average" not in new.forms:
        return True  # `how much did each show bring in` wants no sum of all
    compared = any(form.endswith(" average") for form in left.new_forms)
    if asked - forms or (compared and "average" not in forms):
        return True
    return bool(left.old_forms & MEASURES & forms) and not _may_say_more(left)


def _asks_for_things(gist: QuestionGist) -> bool:
    return not words("asking.for_things").isdisjoint(gist.question.casefold().split()[:1])


def _points_elsewhere(change: QueryChange, new: QuestionGist) -> bool:
    """True when the new question asks for the other end of an order than the query."""
    left, forms = change.left, forms_of(change.query)
    for form in left.new_forms:
        if form in _AS_WELL and not {form, _AS_WELL[form]} & forms:
            return True
        if _OPPOSITE.get(form) in left.old_forms:
            return True
    gone = {form for form in left.old_forms & forms if form in _AS_WELL}
    if not _may_say_more(left) and any(_AS_WELL[form] not in new.forms for form in gone):
        return True
    return all(
        any(form.startswith("extreme") for form in some)
        for some in (left.new_forms, left.old_forms)
    )


def _leaves_values(change: QueryChange) -> bool:
    """True when the query lacks a value of the new question, or holds one that only the old one has."""
    left, held = change.left, [one.value for one in values_of(change.query)]
    lacking, alone = (
        [slot for slot in slots if slot.weight >= SURE]
        for slots in (left.new_slots, left.old_slots)
    )
    if any(not any(holds(value, slot) for value in held) for slot in lacking):
        return True
    return not _may_say_more(left) and any(holds(value, slot) for slot in alone for value in held)


def _goes_by_another(change: QueryChange, new: QuestionGist, old: QuestionGist) -> bool:
    """`by age` and `by level`: what only the old question sorts or groups by is still in the query."""
    left = {word.stem for word, amount in change.left.old_words if 2 * amount > word.weight}
    ours, theirs = (
        frozenset[str]().union(*(one.signs.objects.get(role, ()) for role in _GROUPS))
        for one in (new, old)
    )
    return bool(ours and left & (theirs - ours))


def _may_say_more(left: QuestionDifference) -> bool:
    """True when the new question has words that no name explains: they may stand for what only the old one says."""
    return bool(left.new_slots or open_words(left))


def open_words(left: QuestionDifference) -> frozenset[str]:
    """The words with content of the new question alone that name no table or column."""
    content = (word for word, _ in left.new_words if _is_content(word))
    return frozenset(word.stem for word in content if not (word.tables or word.columns))


def reworded(left: QuestionDifference, old: QuestionGist) -> frozenset[str]:
    """The open words of the new question where they stand for as many names of the old one, in a context that is the same.

    `What university opened in 1935?` says `university` where `What campus opened in 1935?` was confirmed.
    """
    fresh, apart = open_words(left), {word.stem for word, _ in left.old_words}
    gone = {
        word.stem
        for word, _ in left.old_words
        if _is_content(word) and (word.tables or word.columns)
    }
    kept = {word.stem for word in old.words if _is_content(word)} - apart
    context = len(kept) + len(old.slots) - len(left.old_slots)
    stands = len(fresh) <= len(gone) and context >= CONTEXT * len(fresh)
    return fresh if stands and not left.new_slots else frozenset()


def _pairs(
    change: QueryChange, new: QuestionGist, old: QuestionGist
) -> Iterator[tuple[GistSlot, GistSlot]]:
    """The numbers and times of the old question, with those in their place in the new one."""
    fresh = {slot.key: slot for slot in new.slots}
    yield from ((slot, fresh[slot.key]) for slot in old.slots if slot.key in fresh)
    yield from change.exchanged


def _compares_alike(change: QueryChange, old: GistSlot, new: GistSlot) -> bool:
    if old.relation == new.relation:
        return True
    return new.kind == "number" and (old.relation, new.relation) in change.turned


def _has_opposites(left: QuestionDifference) -> bool:
    """`paid` and `unpaid`."""
    fresh, gone = ({word.stem for word, _ in some} for some in (left.new_words, left.old_words))
    return any(
        prefix + one == other
        for some, others in ((fresh, gone), (gone, fresh))
        for one in some
        for other in others
        for prefix in _PREFIXES
    )


def _in_other_times(new: QuestionGist, old: QuestionGist) -> bool:
    """`In 2026 but not in 2025` and `in 2025 but not in 2024`: which time is left out can't be told by exchanging them."""
    times, before = ([slot.key for slot in one.slots if slot.kind == "date"] for one in (new, old))
    return bool(new.signs.negated) and len(before) > 1 and times != before


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether both questions say something of a kind, and nothing of it is the same."""
    return bool(one and other and not one & other)


def _swapped(new: QuestionGist, old: QuestionGist) -> bool:
    """`orders per customer` and `customers per order`: what plays a part in the one stands elsewhere in the other."""
    for role, ours in new.signs.objects.items():
        theirs = old.signs.objects.get(role, frozenset[str]())
        if not theirs or ours & theirs:
            continue
        if ours <= old.signs.named and theirs <= new.signs.named:
            return True
    return False


def _of_other_things(new: QuestionGist, old: QuestionGist, left: QuestionDifference) -> bool:
    """`the names of actors` and `the names of musicals`: each begins with the things of which it asks."""
    ours, theirs = _thing(new), _thing(old)
    named = frozenset[int]().union(*(word.tables for word in new.words))
    return bool(ours and theirs) and not theirs & named and not open_words(left)


def _thing(gist: QuestionGist) -> frozenset[int]:
    """The tables that the first word may mean which names one."""
    return next((word.tables for word in gist.words if word.tables), frozenset[int]())
