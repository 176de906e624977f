"""The functions that compute one value of many: what they are called in trees of SQL, and in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """One function; whoever compiles, lifts, says or looks for measures reads it here."""

    tree: type[exp.AggFunc]
    word: str
    """Before the name of an attribute: `average price`."""
    noun: str
    """In place of `word` where the name begins with that very word: `mean average price`."""
    of_times: str = ""
    """Of days and moments, where that is another word: `latest`."""
    of_spans: str = ""
    """Of spans of time, where that is another word: `most days`."""
    of_numbers: bool = True
    """False for what sorts only, and so takes texts and times as well."""


AGGREGATES: Mapping[str, AggregateFunction] = {
    "avg": AggregateFunction(exp.Avg, "average", "mean"),
    "sum": AggregateFunction(exp.Sum, "total", "sum of"),
    "max": AggregateFunction(exp.Max, "highest", "maximum", "latest", "most", of_numbers=False),
    "min": AggregateFunction(exp.Min, "lowest", "minimum", "earliest", "fewest", of_numbers=False),
    "median": AggregateFunction(exp.Median, "median", "median of"),
    "stddev": AggregateFunction(exp.StddevSamp, "standard deviation of", "standard deviation of"),
}
"""By the name that `Aggregate.function` bears, and the cue in questions as well."""
