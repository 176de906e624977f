"""Ordinary questions made of parts: a figure, perhaps for each of something, perhaps under a condition, with the SQL that the form means."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Facts:
    """Rows that questions are made about, and what can be said of them."""

    world: str
    things: str
    """What the rows are called, in the plural."""
    rows: str
    """What stands behind FROM."""
    figures: tuple[tuple[str, str], ...]
    """Numbers: what they are called, and the column."""
    groups: tuple[tuple[str, str, str], ...]
    """What each stands before: what it is called, the column that is shown, and the key."""
    conditions: tuple[tuple[str, str], ...]
    """Words behind the things, and what they mean."""


@dataclass(frozen=True)
class Formed:
    """A question with the SQL that it means."""

    world: str
    q: str
    sql: str


FACTS = (
    Facts("hotel", "bookings", "hotel.bookings b JOIN hotel.guests g ON g.id = b.guest_id JOIN hotel.rooms r ON r.id = b.room_id",
          (("amount", "b.amount"), ("number of nights", "b.nights")),
          (("status", "b.status", "b.status"), ("room type", "r.room_type", "r.room_type"), ("guest", "g.full_name", "g.id"), ("country", "g.country", "g.country")),
          (("with status cancelled", "b.status = 'cancelled'"), ("by guests from Belgium", "g.country = 'Belgium'"))),
    Facts("hotel", "rooms", "hotel.rooms r JOIN hotel.hotels h ON h.id = r.hotel_id", (("nightly rate", "r.nightly_rate"),),
          (("room type", "r.room_type", "r.room_type"), ("hotel", "h.name", "h.id"), ("city", "h.city", "h.city")), (("in Lisbon", "h.city = 'Lisbon'"),)),
    Facts("cider", "deliveries", "cider.deliveries d JOIN cider.growers g USING (grower_no)", (("weight", "d.weight_kg"),),
          (("variety", "d.variety", "d.variety"), ("class", "d.class", "d.class"), ("grower", "g.grower", "g.grower_no"), ("village", "g.village", "g.village"), ("month", "strftime('%Y-%m', d.delivered)", "1")), ()),
    Facts("cider", "sales", "cider.sales s JOIN cider.shops USING (shop_no)", (("amount", "s.amount"), ("number of bottles", "s.bottles")),
          (("status", "s.status", "s.status"), ("shop", "shop", "shop_no"), ("town", "town", "town"), ("month", "strftime('%Y-%m', s.sold_on)", "1")), ()),
    Facts("courier", "parcels", "courier.parcels p JOIN courier.customers c ON c.id = p.customer_id", (("fee", "p.fee"), ("weight", "p.weight")),
          (("status", "p.status", "p.status"), ("customer", "c.name", "c.id"), ("town", "c.town", "c.town"), ("month", "strftime('%Y-%m', p.sent_on)", "1")), (("sent in 2024", "p.sent_on LIKE '2024%'"),)),
    Facts("driving", "lessons", "driving.lessons l JOIN driving.learners p ON p.id = l.learner_id JOIN driving.instructors i ON i.id = l.instructor_id", (("price", "l.price"),),
          (("status", "l.status", "l.status"), ("instructor", "i.name", "i.id")), (("in 2025", "l.starts_at LIKE '2025%'"),)),
    Facts("nursery", "seed lots", "nursery.seedlots l JOIN nursery.suppliers s USING (supplierid)", (("unit price", "l.unitprice"), ("stock level", "l.stocklevel")),
          (("crop type", "l.croptype", "l.croptype"), ("supplier", "s.companyname", "s.supplierid"), ("home town", "s.hometown", "s.hometown")), ()),
    Facts("garage", "jobs", "garage.job_crd j JOIN garage.mech m USING (mech_id) JOIN garage.veh_mst v USING (veh_id)", (("labour hours", "j.lab_hrs"),),
          (("status", "j.stat", "j.stat"), ("mechanic", "m.nm", "m.mech_id"), ("make", "v.mk", "v.mk")), ()),
    Facts("kfz", "invoices", "kfz.rechnungen r JOIN kfz.kunden k USING (kunden_nr)", (("amount", "r.betrag"),),
          (("status", "r.status", "r.status"), ("town", "k.ort", "k.ort")), ()),
    Facts("apiary", "harvests", "apiary.hvstlog l JOIN apiary.hvmst h USING (hvid) JOIN apiary.kprmst k USING (kprid)", (("weight", "l.wgtkg"), ("unit price", "l.untprc")),
          (("hive", "h.hvnm", "h.hvid"), ("keeper", "k.kprnm", "k.kprid"), ("month", "strftime('%Y-%m', l.hvstdt)", "1")), (("in 2024", "l.hvstdt LIKE '2024%'"),)),
)  # fmt: skip
_COUNTS = ("How many {t}{c} are there{g}?", "Number of {t}{c}{g}", "count {t}{c}{g}")
_AVERAGES = (
    "What is the average {f} of {t}{c}{g}?",
    "average {f}{g} of {t}{c}",
    "Average {f} of {t}{c}{g}",
)
_TOTALS = ("What is the total {f} of {t}{c}{g}?", "Total {f} of {t}{c}{g}")
_EXTREMES = ("What is the highest {f} of {t}{c}{g}?", "What is the lowest {f} of {t}{c}{g}?")
_EACH = (" per {}", " for each {}", " by {}", " in each {}", " for every {}")


def formed() -> Iterator[Formed]:
    """All questions that the parts make."""
    for facts in FACTS:
        for cond, group in product((("", ""), *facts.conditions), (None, *facts.groups)):
            if group is not None and cond[1].startswith(group[2]):
                continue  # one group alone
            yield from _counted(facts, cond, group)
            yield from _measured(facts, cond, group)


def _counted(
    facts: Facts, cond: tuple[str, str], group: tuple[str, str, str] | None
) -> Iterator[Formed]:
    for text in _COUNTS:
        yield from _in_words(facts, text, "", "count(*)", cond, group)


def _measured(
    facts: Facts, cond: tuple[str, str], group: tuple[str, str, str] | None
) -> Iterator[Formed]:
    for name, column in facts.figures:
        for texts, aggregates in (
            (_AVERAGES, ("avg",)),
            (_TOTALS, ("sum",)),
            (_EXTREMES, ("max", "min")),
        ):
            for place, text in enumerate(texts):
                aggregate = aggregates[place % len(aggregates)]
                yield from _in_words(facts, text, name, f"{aggregate}({column})", cond, group)


def _in_words(
    facts: Facts,
    text: str,
    figure: str,
    term: str,
    cond: tuple[str, str],
    group: tuple[str, str, str] | None,
) -> Iterator[Formed]:
    said, where = cond
    behind = f" WHERE {where}" if where else ""
    told = f" {said}" if said else ""
    if group is None:
        yield Formed(
            facts.world,
            text.format(t=facts.things, f=figure, c=told, g=""),
            f"SELECT {term} FROM {facts.rows}{behind}",
        )
        return
    name, shown, key = group
    sql = f"SELECT {shown}, {term} FROM {facts.rows}{behind} GROUP BY {key}"
    for each in _EACH:
        if figure.startswith("number of") and "avg" in term and each == " per {}":
            continue  # `the average number of nights per guest` may be those of each guest together
        yield Formed(
            facts.world, text.format(t=facts.things, f=figure, c=told, g=each.format(name)), sql
        )
