"""How sure an alias is, from what speaks for and against it; and the memory that follows from that."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from oldhand.record.effect import EQUAL, Alias
from oldhand.record.evidence import Evidence, Strength
from oldhand.record.feedback import Source
from oldhand.record.memory import (
    LEAST_CONFIDENCE,
    Memory,
    MemoryType,
    PreferencePayload,
    Provenance,
)

_WEIGHTS = {Strength.CORRECTED: 3.0, Strength.CONFIRMED: 1.0}
_AGAINST = {Strength.CONTRADICTED: 2.0, Strength.DOUBTED: 1.0}
_DOUBT = 1.5
"""What an alias has against it from the start: one thumb up does not outweigh it, two do."""
_COMPARED = {
    "=": "{}",
    ">": "more than {}",
    ">=": "at least {}",
    "<": "less than {}",
    "<=": "at most {}",
    "between": "between {} and {}",
}


def confidence_of(evidence: Iterable[Evidence]) -> float:
    """How sure an alias is: what speaks for it over all that there is, with some doubt from the start.

    What a person stated or denied directly, the latest word of it, overrides everything else. Votes
    on the same question count once, the strongest of them. A thumb down does not say what was wrong with an answer: it
    makes a word that a correction has taught doubtful, and never takes it away.

    >>> up = Evidence(strength=Strength.CONFIRMED, rater="ana", source=Source.OWNER, question="a")
    >>> other = up.model_copy(update={"question": "b"})
    >>> gold = up.model_copy(update={"strength": Strength.CORRECTED})
    >>> [round(confidence_of(e), 2) for e in ([up], [up, up], [up, other], [gold])]
    [0.4, 0.4, 0.57, 0.67]
    """
    speaking: dict[str, float] = {}
    against: dict[str, float] = {}
    direct: float | None = None
    for one in evidence:
        key = " ".join(one.question.casefold().split()) or str(one.episode_id)
        if one.strength.is_direct:
            direct = float(one.strength is Strength.STATED)
        elif one.strength in _AGAINST:
            against[key] = max(against.get(key, 0.0), _AGAINST[one.strength])
        else:
            speaking[key] = max(speaking.get(key, 0.0), _WEIGHTS[one.strength])
    if direct is not None:
        return direct
    total = sum(speaking.values())
    found = total / (total + sum(against.values()) + _DOUBT)
    corrected = any(weight == _WEIGHTS[Strength.CORRECTED] for weight in speaking.values())
    contradicted = any(weight == _AGAINST[Strength.CONTRADICTED] for weight in against.values())
    return max(found, LEAST_CONFIDENCE) if corrected and not contradicted else found


def alias_id(clone_id: str, alias: Alias) -> str:
    """The id of an alias: the same phrase and target always have the same one.

    >>> one = Alias(phrase="clients", database="shop", table="customers")
    >>> alias_id("a", one) == alias_id("a", one.model_copy()), alias_id("a", one) == alias_id("b", one)
    (True, False)
    """
    parts = (clone_id, alias.phrase, alias.database, alias.schema_name, alias.table, alias.column)
    compared = [repr(alias.value)]
    if alias.operator != EQUAL:
        compared += [alias.operator, repr(alias.upper)]
    if alias.is_defined:
        compared += [str(alias.condition), str(alias.formula)]
    text = "\x00".join([*map(str, parts), *compared])
    return "alias-" + hashlib.sha256(text.encode()).hexdigest()[:24]


def said(alias: Alias) -> str:
    """An alias as a sentence.

    >>> said(Alias(phrase="clients", database="shop", table="customers"))
    "'clients' means the table customers (shop)."
    >>> said(Alias(phrase="top tier", database="shop", table="customers", column="tier", value="A1"))
    "'top tier' means customers whose tier is 'A1' (shop)."
    """
    if alias.condition:
        meaning = f"{alias.table} with {alias.condition}"
    elif alias.formula:
        meaning = f"{alias.formula} of each row of {alias.table}"
    elif alias.column is None:
        meaning = f"the table {alias.table}"
    elif alias.value is None:
        meaning = f"the column {alias.column} of {alias.table}"
    else:
        compared = _COMPARED[alias.operator].format(*map(repr, alias.values))
        meaning = f"{alias.table} whose {alias.column} is {compared}"
    return f"{alias.phrase!r} means {meaning} ({alias.database})."


def fresh(clone_id: str, alias: Alias, at: datetime) -> Memory:
    """The memory of an alias for which nothing speaks yet."""
    return Memory(
        type=MemoryType.PREFERENCE,
        id=alias_id(clone_id, alias),
        clone_id=clone_id,
        created_at=at,
        confidence=0.0,
        tags=("alias",),
        summary=said(alias),
        effect=alias,
        payload=PreferencePayload(key=alias.phrase, value=alias.target),
    )


def evidence_of(memory: Memory) -> tuple[Evidence, ...]:
    """What speaks for and against a memory, oldest first."""
    payload = memory.payload
    return payload.evidence if isinstance(payload, PreferencePayload) else ()


def strengthened(memory: Memory, evidence: Evidence) -> Memory:
    """The memory with one more piece of evidence; a repeated one changes nothing."""
    known = evidence_of(memory)
    return memory if evidence in known else resting_on(memory, (*known, evidence))


def resting_on(memory: Memory, evidence: Sequence[Evidence]) -> Memory:
    """The memory as it follows from this evidence alone."""
    if not isinstance(memory.payload, PreferencePayload) or tuple(evidence) == evidence_of(memory):
        return memory
    speaking = [one for one in evidence if speaks_for(one)]
    last = speaking[-1] if speaking else None
    episodes = dict.fromkeys(one.episode_id for one in speaking if one.episode_id)
    return memory.model_copy(
        update={
            "confidence": round(confidence_of(evidence), 4),
            "provenance": Provenance(
                source=last.source if last else Source.EXTERNAL,
                rater=last.rater if last else None,
                episode_ids=tuple(episodes),
            ),
            "payload": memory.payload.model_copy(
                update={"evidence": tuple(evidence), "context": _context(evidence)}
            ),
        }
    )


def speaks_for(evidence: Evidence) -> bool:
    """True unless it speaks against."""
    return evidence.strength is not Strength.DENIED and evidence.strength not in _AGAINST


def _context(evidence: Sequence[Evidence]) -> str:
    """Why it is believed, in words."""
    told = {
        Strength.STATED: "stated by",
        Strength.CORRECTED: "learned from the right SQL given by",
        Strength.CONFIRMED: "learned from an answer confirmed by",
        Strength.CONTRADICTED: "contradicted by",
        Strength.DOUBTED: "an answer that rests on it was called wrong by",
        Strength.DENIED: "taken back by",
    }
    return "; ".join(
        dict.fromkeys(
            f"{told[one.strength]} {one.rater}" + (f" ({one.question!r})" if one.question else "")
            for one in evidence
        )
    )
