"""Manners of asking about things and what happens to them, each with paraphrases and opposites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks._harm.cases import Kind, Probe

Filled = tuple[str, str, tuple[Probe, ...]]


@dataclass(frozen=True)
class Manner:
    """A question with its right SQL, other ways to ask it, and questions that mean the opposite.

    `{things}`, `{kind}` and so on are filled with the names of a domain, `{v}`, `{w}`, `{y}`, `{n}` with values.
    """

    question: str
    gold: str
    light: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    opposite: tuple[str, ...] = ()
    column: tuple[tuple[str, str], ...] = ()
    """The same of another column, with its SQL."""

    def filled(self, names: Mapping[str, object]) -> Filled:
        """The question, its SQL and what is asked after it."""
        return (
            self.question.format(**names),
            self.gold.format(**names),
            tuple(self._probes(names)),
        )

    def _probes(self, names: Mapping[str, object]) -> Iterator[Probe]:
        gold = self.gold.format(**names)
        for kind, texts in ((Kind.LIGHT, self.light), (Kind.OTHER, self.other)):
            yield from (Probe(kind, text.format(**names), gold) for text in texts)
        yield from (Probe(Kind.OPPOSITE, text.format(**names)) for text in self.opposite)
        yield from (
            Probe(Kind.COLUMN, t.format(**names), g.format(**names)) for t, g in self.column
        )


_JOINED = "{events} AS e JOIN {things} AS t ON t.{key} = e.{key}"
MANNERS = (
    Manner(
        "What is the average {said_amount} of the {v} {things}?",
        "SELECT AVG({amount}) FROM {things} WHERE {kind} = '{v}'",
        ("What is the mean {said_amount} of the {v} {things}?", "Whatever happens, what is the average {said_amount} of the {v} {things}?"),
        ("How high is the {said_amount} of a {v} {thing} on average?",),
        ("What is the total {said_amount} of the {v} {things}?", "What is the average {said_amount} of the {things} that are not {v}?", "What is the average {said_amount} of all {things} except {v}?", "What is the highest {said_amount} of the {v} {things}?"),
    ),
    Manner(
        "How many {events} did the {v} {things} have in {y}?",
        "SELECT COUNT(*) FROM " + _JOINED + " WHERE t.{kind} = '{v}' AND e.{happened} >= '{y}-01-01' AND e.{happened} < '{next}-01-01'",
        ("How many {events} did the {v} {things} have during {y}?", "What is the number of {events} that the {v} {things} had in {y}?"),
        ("Count the {events} of {y} which belong to {v} {things}.",),
        ("How many {events} did the {v} {things} have before {y}?", "How many {events} did the {v} {things} have after {y}?", "How many {events} did the {things} outside {v} have in {y}?"),
    ),
    Manner(
        "Which {things} have no {events}?",
        "SELECT {name} FROM {things} WHERE {key} NOT IN (SELECT {key} FROM {events})",
        ("List the {things} without {events}.", "Which are the {things} that have no {events}?"),
        ("Name every {thing} for which no {event} was ever recorded.",),
        ("Which {things} have {events}?", "Which {things} have at least one {event}?", "List the {things} with {events}."),
    ),
    Manner(
        "Which {thing} has the most {events}?",
        "SELECT t.{name} FROM " + _JOINED + " GROUP BY t.{key}, t.{name} ORDER BY COUNT(*) DESC LIMIT 1",
        ("Show the {thing} with the most {events}.", "Which {thing} has the highest number of {events}?"),
        ("What {thing} leads when it comes to the number of {events}?",),
        ("Which {thing} has the fewest {events}?", "Which {thing} has the least {events}?", "Show the {thing} with the lowest number of {events}."),
    ),
    Manner(
        "What is the total {said_worth} of {events} for each {kind}?",
        "SELECT t.{kind}, SUM(e.{worth}) FROM " + _JOINED + " GROUP BY t.{kind}",
        ("Show the total {said_worth} of {events} per {kind}.", "For each {kind}, what is the total {said_worth} of {events}?"),
        ("Break the overall {said_worth} of {events} down by {kind}.",),
        ("What is the average {said_worth} of {events} for each {kind}?", "What is the smallest {said_worth} of {events} for each {kind}?"),
        (("What is the total {said_worth} of {events} for each {thing} {name}?", "SELECT t.{name}, SUM(e.{worth}) FROM " + _JOINED + " GROUP BY t.{name}"),),
    ),
    Manner(
        "How many premium {things} are there?",
        "SELECT COUNT(*) FROM {things} WHERE {amount} > 500",
        ("How many premium {things} do we have?", "What is the number of premium {things}?"),
        ("How large is the group of premium {things}?",),
        ("How many {things} are not premium?", "How many {things} are there that are never premium?", "How many non premium {things} are there?"),
    ),
    Manner(
        "What was the turnover of {v}?",
        "SELECT SUM(e.{worth}) FROM " + _JOINED + " WHERE t.{kind} = '{v}'",
        ("Show the turnover of {v}.", "What was the turnover that lies with {v}?"),
        ("How much turnover did {v} bring?",),
        ("What was the turnover outside {v}?", "What was the turnover except {v}?", "What was the average turnover of {v}?"),
    ),
    Manner(
        "Show the {name} of {things} with a {said_amount} of more than {n}.",
        "SELECT {name} FROM {things} WHERE {amount} > {n}",
        ("List the {name} of {things} with a {said_amount} of more than {n}.", "Show the {name} of {things} whose {said_amount} exceeds {n}."),
        ("Give me every {thing} by {name} that has a {said_amount} above {n}.",),
        ("Show the {name} of {things} with a {said_amount} of less than {n}.", "Show the {name} of {things} with a {said_amount} of at most {n}.", "Show the {name} of {things} with a {said_amount} of not more than {n}."),
    ),
    Manner(
        "What is the number of {events} per {thing}?",
        "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT {key}) FROM {events}",
        ("What is the number of {events} for each {thing} overall?",),
        (),
        ("What is the number of {things} per {event}?",),
    ),
    Manner(
        "How many {things} are {v} or {w}?",
        "SELECT COUNT(*) FROM {things} WHERE {kind} IN ('{v}', '{w}')",
        ("How many {things} are either {v} or {w}?", "How many {things} are there that are {v} or {w}?"),
        ("Count the {things} whose {kind} is {w} or {v}.",),
        ("How many {things} are {v} and not {w}?", "How many {things} are neither {v} nor {w}?", "How many {things} are both {v} and {w}?"),
    ),
    Manner(
        "How many {events} were there before {y}?",
        "SELECT COUNT(*) FROM {events} WHERE {happened} < '{y}-01-01'",
        ("How many {events} happened before {y}?", "What is the number of {events} before {y}?"),
        ("Count every {event} earlier than {y}.",),
        ("How many {events} were there after {y}?", "How many {events} were there in {y}?", "How many {events} were there since {y}?", "How many {events} were not before {y}?"),
    ),
    Manner(
        "List the {name} of {things} in ascending order of {said_amount}.",
        "SELECT {name} FROM {things} ORDER BY {amount}",
        ("Show the {name} of {things} in ascending order of {said_amount}.", "List the {name} of {things} ordered by {said_amount}."),
        ("Sort the {things} by {said_amount} from low to high and give their {name}.",),
        ("List the {name} of {things} in descending order of {said_amount}.",),
        (("List the {kind} of {things} in ascending order of {said_amount}.", "SELECT {kind} FROM {things} ORDER BY {amount}"),),
    ),
    Manner(
        "Which {things} count as lost?",
        "SELECT {name} FROM {things} WHERE {key} NOT IN (SELECT {key} FROM {events} WHERE {happened} >= '2023-01-01')",
        ("Which are the {things} that count as lost?", "Show the {things} that count as lost."),
        ("Give me all lost {things}.",),
        ("Which {things} do not count as lost?", "Which {things} never count as lost?"),
    ),
    Manner(
        "What is the total {said_worth} of {events} from {v} in {y}?",
        "SELECT SUM(e.{worth}) FROM " + _JOINED + " WHERE t.{kind} = '{v}' AND strftime('%Y', e.{happened}) = '{y}'",
        ("Give me the total {said_worth} of {events} from {v} in {y}.", "What is the overall {said_worth} of {events} from {v} during {y}?"),
        ("In {y}, how much {said_worth} did the {events} from {v} add up to?",),
        ("What is the average {said_worth} of {events} from {v} in {y}?", "What is the total {said_worth} of {events} from {v} after {y}?", "What is the total {said_worth} of {events} from {v} before {y}?", "What is the total {said_worth} of {events} not from {v} in {y}?"),
    ),
)  # fmt: skip
