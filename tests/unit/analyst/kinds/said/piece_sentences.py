"""Corrections that name a piece of a question: another group, a figure or column beside, one in place, one gone."""

from collections.abc import Iterator
from dataclasses import dataclass

WORDINGS = {
    "group": (
        "per {what}", "by {what}", "do it per {what}", "for each {what}", "I wanted it per {what}", "break it down by {what}",
        "split it by {what}", "broken down by {what}", "No, by {what}, please", "group it by {what}", "one figure per {what}",
        "it should be per {what}", "by {what} instead",
    ),
    "beside": (
        "also show the {what}", "and the {what}", "the {what} as well", "add the {what}", "show me the {what} too",
        "I need the {what} too", "plus the {what}", "with the {what}", "also the {what}, please",
    ),
    "instead": ("the {what} instead", "I wanted the {what}", "it should be the {what}", "no, the {what}", "{what}, please"),
    "gone": ("without the {what}", "drop the {what}", "leave out the {what}", "I don't need the {what}", "the {what} is not needed"),
}  # fmt: skip
"""Wordings by what becomes of that which they name."""


@dataclass(frozen=True)
class Case:
    """An answer, what a correction of it names, and the SQL that is wanted then."""

    question: str
    becomes: str
    what: str
    sql: str

    def said(self) -> Iterator[str]:
        """The correction in each wording."""
        return (one.format(what=self.what) for one in WORDINGS[self.becomes])


def _cases(question: str, becomes: str, wanted: dict[str, str]) -> tuple[Case, ...]:
    return tuple(Case(question, becomes, what, sql) for what, sql in wanted.items())


CASES = {
    "courier": (
        *_cases("How many parcels are there?", "group", {
            "status": "SELECT status, count(*) FROM courier.parcels GROUP BY 1",
            "town": "SELECT c.town, count(*) FROM courier.parcels p JOIN courier.customers c ON c.id = p.customer_id GROUP BY 1",
        }),
        *_cases("What is the total fee of parcels per status?", "group", {
            "town": "SELECT c.town, sum(p.fee) FROM courier.parcels p JOIN courier.customers c ON c.id = p.customer_id GROUP BY 1",
            "customer": "SELECT c.name, sum(p.fee) FROM courier.parcels p JOIN courier.customers c ON c.id = p.customer_id GROUP BY c.id",
        }),
        *_cases("What is the total fee of parcels per status?", "beside", {
            "number of parcels": "SELECT status, sum(fee), count(*) FROM courier.parcels GROUP BY 1",
            "average weight": "SELECT status, sum(fee), avg(weight) FROM courier.parcels GROUP BY 1",
        }),
        *_cases("What is the total fee of parcels per status?", "instead", {
            "average fee": "SELECT status, avg(fee) FROM courier.parcels GROUP BY 1",
            "number of parcels": "SELECT status, count(*) FROM courier.parcels GROUP BY 1",
            "total weight": "SELECT status, sum(weight) FROM courier.parcels GROUP BY 1",
        }),
        *_cases("List the name and town of customers", "gone", {"town": "SELECT name FROM courier.customers"}),
    ),
    "hotel": (
        *_cases("What is the average amount of bookings?", "group", {
            "status": "SELECT status, avg(amount) FROM hotel.bookings GROUP BY 1",
            "country": "SELECT g.country, avg(b.amount) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1",
            "room type": "SELECT r.room_type, avg(b.amount) FROM hotel.bookings b JOIN hotel.rooms r ON r.id = b.room_id GROUP BY 1",
        }),
        *_cases("List the full name of guests", "beside", {
            "email": "SELECT full_name, email FROM hotel.guests",
            "country": "SELECT full_name, country FROM hotel.guests",
            "country and the email": "SELECT full_name, country, email FROM hotel.guests",
        }),
        *_cases("What is the average amount of bookings per country?", "beside", {
            "number of bookings": "SELECT g.country, avg(b.amount), count(*) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1",
        }),
        *_cases("List the full name, country and email of guests", "gone", {
            "email": "SELECT full_name, country FROM hotel.guests",
            "country": "SELECT full_name, email FROM hotel.guests",
        }),
    ),
    "workshop": (
        *_cases("How many repairs are there?", "group", {
            "status": "SELECT status, count(*) FROM workshop.repairs GROUP BY 1",
            "finished on": "SELECT finished_on, count(*) FROM workshop.repairs GROUP BY 1",
        }),
        *_cases("What is the average wage of mechanics?", "instead", {
            "highest wage": "SELECT max(wage) FROM workshop.mechanics",
            "number of mechanics": "SELECT count(*) FROM workshop.mechanics",
        }),
        *_cases("What is the average list price of parts per brand?", "gone", {
            "brand": "SELECT avg(list_price) FROM workshop.parts",
        }),
    ),
}  # fmt: skip
"""By the name of the world."""
