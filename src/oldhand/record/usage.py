"""What a call to a language model cost."""

from datetime import datetime

from pydantic import Field

from oldhand.record.base import Record


class Usage(Record):
    """Tokens and money; adds up.

    >>> Usage(requests=1, input_tokens=900, output_tokens=60, cost=0.002) + Usage(requests=1)
    Usage(requests=2, input_tokens=900, cached_tokens=0, output_tokens=60, cost=0.002)
    """

    requests: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    """Input tokens that the provider had read before, and charges less for; they are among `input_tokens`."""
    output_tokens: int = Field(default=0, ge=0)
    cost: float = Field(default=0.0, ge=0)
    """US dollars; 0 for local models and for those whose price is not known."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(**{name: value + getattr(other, name) for name, value in self})


class LedgerEntry(Record):
    """One call to a language model, for the token ledger."""

    stage: str
    """`validate`, `plan`, `generate_sql`, `analyze_error`, `summarise`, …"""
    model: str
    usage: Usage
    seconds: float
    at: datetime
