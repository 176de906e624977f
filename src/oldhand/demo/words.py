"""The words that the demo company is made of, out of `words.yaml`."""

from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

import yaml
from pydantic import TypeAdapter


class City(NamedTuple):
    """A town on the map, in degrees north and east."""

    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Trade:
    """A line of business: what it sells, by category, and for how much."""

    name: str
    categories: dict[str, tuple[str, ...]]
    """The nouns of the products in each category."""
    price_range: tuple[int, int]
    """Cheapest and dearest price in whole euros."""


@dataclass(frozen=True)
class _Words:
    regions: dict[str, dict[str, tuple[float, float]]]
    trades: tuple[Trade, ...]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    series: tuple[str, ...]
    supplier_countries: tuple[str, ...]
    supplier_kinds: tuple[str, ...]
    company_endings: tuple[str, ...]
    streets: tuple[str, ...]


_TEXT = files("oldhand.demo").joinpath("words.yaml").read_text("utf-8")
WORDS = TypeAdapter(_Words).validate_python(yaml.safe_load(_TEXT))


def cities_of(country: str) -> tuple[City, ...]:
    """The towns of a country."""
    return tuple(City(name, *place) for name, place in WORDS.regions[country].items())
