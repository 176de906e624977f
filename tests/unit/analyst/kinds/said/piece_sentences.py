"""Corrections that name a piece of a question: another group, a figure or column beside, one in place, one gone, other things counted, the first ones, some of the groups, the opposite."""

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
    "counted": (
        "how many different {what}", "how many different {what} are there?", "I wanted to know how many different {what}", "the number of different {what}",
        "no, the number of distinct {what}, please",
    ),
    "first": (
        "the three {what}", "just the three {what}", "only the three {what} ones", "I wanted the three {what}", "show me the three {what}",
        "no, only the 3 {what}, please", "give me the three {what} ones",
    ),
    "sorted": ("{what} first", "{what} ones first", "{what} on top", "{what} first, please", "it should be {what} first", "put the {what} at the top"),
    "apart": ("{what} separately", "separately for {what}", "split into {what}", "{what} separately, please"),
    "overall": (
        "overall, not per {what}", "not per {what}", "overall", "one number for all", "in total, not by {what}", "without the split by {what}",
        "one figure, not per {what}", "no grouping by {what}",
    ),
    "alone": ("only the {what}", "just the {what}", "{what} only", "the {what} alone", "only show the {what}"),
    "of": ("the {what}", "by the {what}", "I meant the {what}", "it should be the {what}", "per {what} instead"),
    "any": ("not only {what}", "not just {what}"),
    "kept": ("only {what}", "{what} only", "just {what}", "I only want {what}", "restrict it to {what}", "it should only show {what}", "No, only {what}, please"),
    "left": ("without {what}", "leave out {what}", "drop {what}", "leave {what} out", "{what} should not be in there", "please exclude {what}"),
    "end": ("the {what}", "{what}", "just the {what}", "only the {what}", "I wanted the {what}", "give me the {what}", "no, the {what}, please", "it should be the {what}"),
    "all_but": ("overall, {what}", "in total, {what}", "altogether, but {what}", "one figure, {what}", "one number {what}", "overall, and {what}"),
    "turned": (
        "not {what}", "not the {what} ones", "without the {what} ones", "only those that are not {what}", "I meant those that are not {what}",
        "the ones that aren't {what}", "leave out the {what} ones", "all but the {what} ones",
    ),
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


_AGE = "(cast(strftime('%Y%m%d', 'now') AS INT) - cast(strftime('%Y%m%d', born_on) AS INT)) / 10000"
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
        *_cases("List the name and town of customers", "alone", {"names": "SELECT name FROM courier.customers", "town": "SELECT town FROM courier.customers"}),
        *_cases("How many parcels are there?", "counted", {"customers": "SELECT count(DISTINCT customer_id) FROM courier.parcels"}),
        *_cases("How many complaints are there?", "counted", {
            "parcels": "SELECT count(DISTINCT parcel_id) FROM courier.complaints",
            "customers": "SELECT count(DISTINCT p.customer_id) FROM courier.complaints c JOIN courier.parcels p ON p.id = c.parcel_id",
        }),
        *_cases("How many parcels per status are there?", "counted", {"customers": "SELECT status, count(DISTINCT customer_id) FROM courier.parcels GROUP BY 1"}),
        *_cases("What is the total fee of parcels per status?", "overall", {"status": "SELECT sum(fee) FROM courier.parcels"}),
        *_cases("How many parcels per status are there?", "kept", {
            "those with more than 3": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 HAVING count(*) > 3",
            "those above 3": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 HAVING count(*) > 3",
        }),
        *_cases("How many parcels per status are there?", "left", {"those with fewer than 4 parcels": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 HAVING count(*) >= 4"}),
        *_cases("What is the total fee of parcels per status?", "kept", {
            "those with at least 50": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 HAVING sum(fee) >= 50",
            "those with a total over 50": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 HAVING sum(fee) > 50",
            "those with more than 3 parcels": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 HAVING count(*) > 3",
        }),
        *_cases("What is the total fee of parcels per status?", "end", {
            "highest": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "lowest status": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 ORDER BY 2 LIMIT 1",
            "two highest": "SELECT status, sum(fee) FROM courier.parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        }),
        *_cases("How many parcels per status are there?", "end", {
            "best status": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "biggest one": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "status with the most": "SELECT status, count(*) FROM courier.parcels GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        }),
        *_cases("How many parcels per status are there?", "all_but", {
            "not lost": "SELECT count(*) FROM courier.parcels WHERE status <> 'lost'",
            "without the lost ones": "SELECT count(*) FROM courier.parcels WHERE status <> 'lost'",
            "only the lost ones": "SELECT count(*) FROM courier.parcels WHERE status = 'lost'",
        }),
        *_cases("How many lost parcels are there?", "turned", {"lost": "SELECT count(*) FROM courier.parcels WHERE status <> 'lost'"}),
        *_cases("How many parcels are there?", "apart", {"lost and pending": "SELECT status, count(*) FROM courier.parcels GROUP BY 1"}),
        *_cases("List the id and fee of parcels", "first", {
            "heaviest": "SELECT id, fee FROM courier.parcels ORDER BY weight DESC LIMIT 3",
            "lightest": "SELECT id, fee FROM courier.parcels ORDER BY weight LIMIT 3",
            "cheapest": "SELECT id, fee FROM courier.parcels ORDER BY fee LIMIT 3",
        }),
        *_cases("List the id and fee of parcels", "sorted", {"heaviest": "SELECT id, fee FROM courier.parcels ORDER BY weight DESC"}),
        *_cases("How many parcels were sent in 2024?", "any", {"in 2024": "SELECT count(*) FROM courier.parcels"}),
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
        *_cases("How many bookings are there?", "counted", {"guests": "SELECT count(DISTINCT guest_id) FROM hotel.bookings", "rooms": "SELECT count(DISTINCT room_id) FROM hotel.bookings"}),
        *_cases("How many cancelled bookings are there?", "counted", {"guests": "SELECT count(DISTINCT guest_id) FROM hotel.bookings WHERE status = 'cancelled'"}),
        *_cases("What is the average amount of bookings per country?", "overall", {"country": "SELECT avg(amount) FROM hotel.bookings"}),
        *_cases("What is the average amount of bookings per country?", "end", {
            "highest": "SELECT g.country, avg(b.amount) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "worst country": "SELECT g.country, avg(b.amount) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1 ORDER BY 2 LIMIT 1",
        }),
        *_cases("What is the average amount of bookings per country?", "kept", {
            "countries with more than 5 bookings": "SELECT g.country, avg(b.amount) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1 HAVING count(*) > 5",
            "countries above 400": "SELECT g.country, avg(b.amount) FROM hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id GROUP BY 1 HAVING avg(b.amount) > 400",
        }),
        *_cases("How many cancelled bookings are there?", "turned", {"cancelled": "SELECT count(*) FROM hotel.bookings WHERE status <> 'cancelled'"}),
        *_cases("List the name and salary of staff", "alone", {"names": "SELECT name FROM hotel.staff", "salary": "SELECT salary FROM hotel.staff"}),
        *_cases("How many hotels are in Lisbon?", "any", {"in Lisbon": "SELECT count(*) FROM hotel.hotels", "Lisbon": "SELECT count(*) FROM hotel.hotels"}),
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
        *_cases("How many repairs are there?", "counted", {"clients": "SELECT count(DISTINCT client_id) FROM workshop.repairs", "mechanics": "SELECT count(DISTINCT mechanic_id) FROM workshop.repairs"}),
        *_cases("How many repairs per town of branches are there?", "of", {
            "client's town": "SELECT c.town, count(*) FROM workshop.repairs r JOIN workshop.clients c ON c.id = r.client_id GROUP BY 1",
            "town of the client": "SELECT c.town, count(*) FROM workshop.repairs r JOIN workshop.clients c ON c.id = r.client_id GROUP BY 1",
            "client's town, not the branch's": "SELECT c.town, count(*) FROM workshop.repairs r JOIN workshop.clients c ON c.id = r.client_id GROUP BY 1",
        }),
        *_cases("List the name and brand of parts", "first", {
            "cheapest": "SELECT name, brand FROM workshop.parts ORDER BY list_price LIMIT 3",
            "most expensive": "SELECT name, brand FROM workshop.parts ORDER BY list_price DESC LIMIT 3",
        }),
        *_cases("List the name and brand of parts", "sorted", {
            "cheapest": "SELECT name, brand FROM workshop.parts ORDER BY list_price",
            "most expensive": "SELECT name, brand FROM workshop.parts ORDER BY list_price DESC",
        }),
        *_cases("How many repairs per status are there?", "all_but", {"without the cancelled ones": "SELECT count(*) FROM workshop.repairs WHERE status <> 'cancelled'"}),
        *_cases("How many cancelled repairs are there?", "turned", {"cancelled": "SELECT count(*) FROM workshop.repairs WHERE status <> 'cancelled'"}),
        *_cases("What is the average list price of parts per brand?", "end", {
            "most expensive": "SELECT brand, avg(list_price) FROM workshop.parts GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "cheapest brand": "SELECT brand, avg(list_price) FROM workshop.parts GROUP BY 1 ORDER BY 2 LIMIT 1",
        }),
        *_cases("What is the average list price of parts per brand?", "gone", {
            "brand": "SELECT avg(list_price) FROM workshop.parts",
        }),
    ),
    "swimming": (
        *_cases("What is the average age of swimmers per town?", "end", {
            "oldest": f"SELECT town, avg({_AGE}) FROM swimming.swimmers GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "youngest town": f"SELECT town, avg({_AGE}) FROM swimming.swimmers GROUP BY 1 ORDER BY 2 LIMIT 1",
        }),
    ),
}  # fmt: skip
"""By the name of the world."""
