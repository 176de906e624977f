"""The question in the words that a correction asks for, read anew: what the scene can't be told, the whole question may say."""

import re
from collections.abc import Callable, Iterator

from oldhand.agent.analyst.conversation.scene import Scene
from oldhand.agent.analyst.conversation.standalone import bare_question
from oldhand.lexicon.splitting import split_name
from oldhand.lexicon.tokens import stem, tokenise
from oldhand.query.describing.about import subject
from oldhand.query.form import Query
from oldhand.query.normal import same
from oldhand.query.walk import columns, is_measure

_ONES = re.compile(r"^(?:those|the ones|ones|the)\s+(?=(?:that|which|who|with|without|by|from|in|of|over|under|before|after|since|not)\b)", re.IGNORECASE)  # fmt: skip


def exchanged(scene: Scene, new: str, old: str) -> tuple[Query, ...]:
    """The question with some of its words exchanged: `owners, not professionals`."""
    return _first(scene, _in_place(scene.question, old, new), _is_alike)


def narrowed(scene: Scene, rest: str) -> tuple[Query, ...]:
    """The question about those rows alone that `rest` describes: `only treatments that cost more than 500`."""
    return _first(scene, _described(scene, rest), _narrows)


def _first(
    scene: Scene, texts: Iterator[str] | list[str], fits: Callable[[Query, Query], bool]
) -> tuple[Query, ...]:
    """The first of some texts that is read as what the correction may ask for."""
    for text in dict.fromkeys(texts):
        found = scene.asked(text)
        if found is not None and not same(found, scene.query) and fits(scene.query, found):
            return (found,)
    return ()


def _is_alike(before: Query, after: Query) -> bool:
    """Whether as much is said of other things: conditions on columns of the same names, as many groups, rows and figures."""
    shape = [
        ({column.name for part in one.where for column in columns(part)}, len(one.where), len(one.group), len(one.having), one.limit, sum(map(is_measure, one.select)))
        for one in (before, after)
    ]  # fmt: skip
    return shape[0] == shape[1]


def _narrows(before: Query, after: Query) -> bool:
    kept = set(before.where) <= set(after.where) and len(after.where) > len(before.where)
    return kept and all(
        getattr(before, part) == getattr(after, part)
        for part in ("select", "group", "having", "order", "limit")
    )


def _described(scene: Scene, rest: str) -> Iterator[str]:
    """The question with what is said of its things beside them."""
    said, thing = _ONES.sub("", rest), _noun(scene)
    if thing is not None and stem(thing) in {token.stem for token in tokenise(said)}:
        yield from _in_place(scene.question, thing, said)
    elif thing is not None:
        yield from _in_place(scene.question, thing, f"{thing} {said}")
    yield f"{bare_question(scene.question)} {said}?"


def _in_place(question: str, old: str, new: str) -> Iterator[str]:
    """A question with some of its words in place of others, whatever their endings."""
    gone = [token.stem for token in tokenise(old)]
    tokens = tokenise(question)
    for at in range(len(tokens) - len(gone) + 1):
        if gone and [token.stem for token in tokens[at : at + len(gone)]] == gone:
            start, end = tokens[at].start, tokens[at + len(gone) - 1].end
            yield f"{question[:start]}{new}{question[end:]}"


def _noun(scene: Scene) -> str | None:
    """The word by which the question names what it is about; None where it names none of its tables."""
    main = subject(scene.query, scene.question)
    for relation in sorted(scene.query.rows.relations, key=lambda one: one != main):
        last = [
            stem(word) for word in split_name(relation.table)[-1:]
        ]  # a query's rows have no name
        for token in tokenise(scene.question):
            if [token.stem] == last:
                return token.text
    return None
