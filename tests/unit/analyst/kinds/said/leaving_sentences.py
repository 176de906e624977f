"""Sentences that leave rows out of an answer, or put them in: verbs, their *not*, and whether they ask, tell or complain."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle


@dataclass(frozen=True)
class Verb:
    """A verb in the forms that sentences need; what belongs to it stands behind a blank: `left out`."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str

    def forms(self, rows: str, *, apart: bool) -> dict[str, str]:
        """Each form with rows behind it, or inside it, as in `leave the lost ones out`; and the participle alone."""
        found = {"done": self.participle}
        for name in ("base", "third", "past", "participle", "gerund"):
            verb, _, particle = getattr(self, name).partition(" ")
            inside = apart and particle and not particle.endswith("of")
            said = f"{verb} {rows} {particle}" if inside else f"{verb} {particle} {rows}"
            found[name] = " ".join(said.split())
        return found


def regular(verb: str) -> Verb:
    """A verb whose forms follow from its base: `strip out`, `ignore`."""
    head, _, particle = verb.partition(" ")
    short = head.removesuffix("e")
    twice = head[-1] if head in ("drop", "skip", "omit", "strip", "cut", "put") else ""
    endings = (f"{head}s", f"{short}{twice}ed", f"{short}{twice}ed", f"{short}{twice}ing")
    return Verb(*(f"{form} {particle}".strip() for form in (head, *endings)))


TELLING = (
    "{base}", "please {base}", "It should {base}.", "you should have {participle}", "can you {base}?",
    "I want you to {base}", "you need to {base}", "you forgot to {base}", "{gerund}, please", "make sure to {base}",
    "why don't you {base}?", "let's {base}", "{rows} should be {done}", "{rows} must be {done}", "{rows} need to be {done}",
    "{rows} should have been {done}", "shouldn't {rows} be {done}?",
)  # fmt: skip
DENYING = (
    "don't {base}", "please do not {base}", "never {base}", "it shouldn't {base}", "you should not have {participle}",
    "{rows} should not be {done}", "{rows} mustn't be {done}", "stop {gerund}", "you were not supposed to {base}",
    "{rows} ought not to be {done}", "{rows} must never be {done}",
)  # fmt: skip
COMPLAINING = (
    "you {past}", "it {third}", "why did you {base}?", "why are {rows} {done}?", "{rows} were {done}", "You have {participle}.",
    "{rows} got {done}", "the answer {third}", "you {past}, which is wrong", "your query {third}", "{rows} have been {done}",
    "you wrongly {past}",
)  # fmt: skip
MISSING = (
    "you didn't {base}", "why did you not {base}?", "why were {rows} not {done}?", "you haven't {participle}",
    "it doesn't {base}", "why aren't {rows} {done}?", "{rows} were not {done}", "you failed to {base}",
)  # fmt: skip
MOODS = ((TELLING, False), (DENYING, True), (COMPLAINING, True), (MISSING, False))
"""Wordings, and whether rows are wanted otherwise than the verb says."""


@dataclass(frozen=True)
class Said:
    """A sentence about some rows."""

    words: str
    rows: str
    wants_in: bool


@dataclass(frozen=True)
class Sentences:
    """What a set of sentences is made of."""

    out: tuple[Verb, ...]
    into: tuple[Verb, ...]
    out_wordings: tuple[str, ...]
    in_wordings: tuple[str, ...]

    def of(self, rows: tuple[str, ...]) -> Iterator[Said]:
        """Each wording with the next of the rows."""
        named, apart = cycle(rows), cycle((False, False, True))
        for wants_in, verbs in ((False, self.out), (True, self.into)):
            for verb in verbs:
                for wordings, otherwise in MOODS:
                    for wording in wordings:
                        thing = next(named)
                        words = wording.format(rows=thing, **verb.forms(thing, apart=next(apart)))
                        yield Said(words, thing, wants_in is not otherwise)
        for wants_in, wordings in ((False, self.out_wordings), (True, self.in_wordings)):
            for wording in wordings:
                for thing in rows[:2]:
                    yield Said(wording.format(rows=thing), thing, wants_in)


DEVELOPED = Sentences(
    (
        Verb("leave out", "leaves out", "left out", "left out", "leaving out"),
        Verb("take out", "takes out", "took out", "taken out", "taking out"),
        Verb("get rid of", "gets rid of", "got rid of", "gotten rid of", "getting rid of"),
        *map(regular, ("exclude", "drop", "ignore", "skip", "disregard", "omit", "remove", "strip out", "filter out")),
    ),
    (
        Verb("bring back", "brings back", "brought back", "brought back", "bringing back"),
        *map(regular, ("include", "count", "add", "consider")),
    ),
    (
        "without {rows}", "no {rows}", "not {rows}", "except {rows}", "minus {rows}", "excluding {rows}", "{rows} shouldn't be in there",
        "{rows} don't count", "{rows} do not belong in there", "there should be no {rows} in it", "why are {rows} in there?",
        "I don't want {rows} in there", "it has {rows} in it", "{rows} have to go", "the total still contains {rows}",
        "what are {rows} doing in there?", "{rows} slipped in", "I did not ask for {rows}", "{rows} are irrelevant",
    ),
    (
        "{rows} are missing", "why are {rows} missing?", "you forgot {rows}", "don't forget {rows}", "also {rows}", "{rows} too",
        "{rows} belong in there", "{rows} count too", "where are {rows}?", "you missed {rows}", "plus {rows}", "{rows} should be in there",
        "not without {rows}", "it lacks {rows}", "{rows} as well", "I also want {rows}", "there should also be {rows}",
    ),
)  # fmt: skip
HELD_BACK = Sentences(
    (
        Verb("throw out", "throws out", "threw out", "thrown out", "throwing out"),
        Verb("cut out", "cuts out", "cut out", "cut out", "cutting out"),
        Verb("set aside", "sets aside", "set aside", "set aside", "setting aside"),
        *map(regular, ("eliminate", "discard", "weed out", "screen out", "rule out", "kick out")),
    ),
    (
        Verb("put back", "puts back", "put back", "put back", "putting back"),
        *map(regular, ("incorporate", "restore", "cover")),
        Verb("take into account", "takes into account", "took into account", "taken into account", "taking into account"),
    ),
    (
        "everything but {rows}", "leaving aside {rows}", "other than {rows}", "apart from {rows}", "{rows} have no place in this figure",
        "{rows} sneaked in", "your number still has {rows} in it", "I can do without {rows}", "nobody needs {rows}",
        "{rows} are not supposed to be part of this", "we don't count {rows}", "how come {rows} are counted?", "{rows} have nothing to do with this",
        "it's too high, {rows} are in there", "I said without {rows}",
    ),
    (
        "what about {rows}?", "I don't see {rows}", "{rows} got lost", "{rows} are not in there", "you overlooked {rows}",
        "how come {rows} are not counted?", "{rows} matter too", "it's too low, {rows} are missing", "there are no {rows} in it",
        "and {rows}", "{rows} are part of it", "I can't find {rows}", "please do add {rows} again", "even {rows} count", "{rows} are absent",
    ),
)  # fmt: skip
"""Other verbs and wordings."""
