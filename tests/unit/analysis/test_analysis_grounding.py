"""A sentence may round and word its numbers freely; what stands in no row is found."""

import pytest

from oldhand.agent.analysis.grounding import Known, unfounded

ROWS = (("Berlin", 1234567.891, "2026-03-05", 12), ("São Paulo", 0.3456, None, -40))
KNOWN = Known(ROWS, ("Which of the top 5 cities sold most since 2024?", "city", "revenue"), (2,))


@pytest.mark.parametrize(
    "text",
    [
        "Berlin sold the most with 1,234,567.89 in all.",
        "Berlin: 1.234.567,89 Euro.",
        "Berlin 1\u2019234\u2019568, São Paulo .3456",
        "It is Berlin with about 1.2 million, or 1.23 M.",
        "It is 1235k in Berlin and 34.6 % in São Paulo.",
        "The share of São Paulo is 35 percent, a fall of 40.",
        "On March 5, 2026 there were 12 of the 2 cities.",
        "Am 5.3.2026 waren es 12 Stück in Berlin, der Hauptstadt.",
        "Of the top 5 since 2024 it is 'São Paulo'.",
        "In thousands: Berlin 1,235.",
        "",
    ],
)
def test_what_the_rows_hold_may_be_said_in_any_usual_way(text: str) -> None:
    assert unfounded(text, KNOWN) == ()


@pytest.mark.parametrize(
    ("text", "made_up"),
    [
        ("Berlin sold 1,234,576 in all.", "1,234,576"),
        ("It is about 1.3 million in Berlin.", "1.3"),
        ("It is Berlin and then Hamburg.", "Hamburg"),
        ("There are 13 of them.", "13"),
        ("The share is 36 %.", "36"),
        ('It is the city called "Rio".', "Rio"),
        ("Es sind 77 in Berlin.", "77"),
    ],
)
def test_what_no_row_holds_is_found(text: str, made_up: str) -> None:
    assert made_up in unfounded(text, KNOWN)


TOWNS = (
    ("Basel", 12345.678, "2026-03-05", 37),
    ("Bern", 2345.5, "2025-12-24", 20),
    ("Zürich", 9000.0, "2024-01-01", 43),
)
COLUMNS = ("city", "revenue", "first_order", "share")
CITIES = Known(
    TOWNS, ("Which cities brought the most revenue in 2026?", *COLUMNS, "2026-11-23"), (3,)
)
ONE = Known(((1,),), ("How many employees are ill?", "number_of_employees"), (1,))
ZERO = Known(((0,),), ("How many employees are ill?", "number_of_employees"), (1,))
TWELVE = Known(((12,),), ("How many stores are there?", "number_of_stores"), (1,))
NOTHING = Known(((),), ("Which customers have no orders?", "name"), (0,))
GROWTH = Known(
    (("Müller GmbH", 0.0734, -1250.5), ("O'Neil & Sons", 0.5, 880.0)),
    ("Who has the largest growth?", "customer", "growth", "change"),
    (2,),
)
SPRING = Known(
    (("2026-03", 1500.0), ("2026-04", 1650.0)),
    ("How did sales develop this spring?", "month", "sales"),
    (2,),
)
ACTIVE = Known(((True,),), ("Is Ann Lee active?", "active"), (1,))
TOTAL = Known(((1_234_567_890,),), ("What is the total revenue?", "total"), (1,))
TOOK = Known(
    (("14:35:20", "PT2H"), (90, "01:30:00")), ("How long did it take?", "time", "duration"), (2,)
)
RIGHT = [
("Basel brought the most with 12,346.",CITIES),("Basel brought about 12,300.",CITIES),("Basel: 12.3k",CITIES),("roughly 12 thousand for Basel",CITIES),
("Basel (12\u2019345.68) is ahead of Bern (2\u2019345.50).",CITIES),("Basel lag mit 12.345,68 € vorn, gefolgt von Zürich mit 9.000 €.",CITIES),
("All three cities had revenue.",CITIES),("The three cities are Basel, Bern and Zürich.",CITIES),("Die drei Städte sind Basel, Bern und Zürich.",CITIES),
("Together they brought 23,691.18.",CITIES),("In total, the three cities brought about 23,700.",CITIES),("Zusammen sind es 23.691,18.",CITIES),
("Basel brought 3,345.68 more than Zürich.",CITIES),("Basel brought 5.3 times as much as Bern.",CITIES),("Basel accounts for 52.1 % of the total.",CITIES),
("The average is 7,897.06.",CITIES),
("Basel's share is 37 %, Zürich's 43 %.",CITIES),("The first order of Basel was on March 5th, 2026.",CITIES),("on 5 March 2026",CITIES),("am 5. März 2026",CITIES),("le 5 mars 2026",CITIES),("el 5 de marzo de 2026",CITIES),("Christmas Eve: 24 December 2025",Known(TOWNS,("Christmas Eve",),(3,))),("05/03/2026 and 24.12.2025",CITIES),("on 3/5/26",CITIES),
("One employee is ill.",ONE),("There is one.",ONE),("No employees are ill.",ZERO),("There are zero of them.",ZERO),("There are twelve stores.",TWELVE),("There are a dozen stores.",TWELVE),("Es gibt zwölf Filialen.",TWELVE),("Il y a douze magasins.",TWELVE),
("No customers without orders were found.",NOTHING),("Nothing was found: every customer has orders.",NOTHING),
("Müller GmbH grew by 7.34 %, O'Neil & Sons by 50 %.",GROWTH),("Müller's change is -1,250.50.",GROWTH),("Müller GmbH's loss was 1,250.50.",GROWTH),("O'Neil & Sons grew by half.",GROWTH),("The customer \"Müller GmbH\" grew by 7%.",GROWTH),
("Sales rose from 1,500 in March to 1,650 in April, by 10 %.",SPRING),("Sales rose by 150.",SPRING),("From March to April 2026 sales grew 10%.",SPRING),
("Yes, Ann Lee is active.",ACTIVE),("Ja, Ann Lee ist aktiv.",ACTIVE),
("The total revenue is $1.23 billion.",TOTAL),("1,234.6 million dollars",TOTAL),("Der Umsatz beträgt rund 1,23 Milliarden Euro.",TOTAL),("rund 1,23 Mrd. €",TOTAL),("1 234 567 890 €",TOTAL),("US$1,234,567,890",TOTAL),("Le total est de 1,2 milliard d'euros.",TOTAL),
("It began at 14:35 and took 90 minutes.",TOOK),("It was 2:35 pm.",TOOK),
("Basel ranks 1st, Zürich 2nd and Bern 3rd.",CITIES),("1. Basel\n2. Zürich\n3. Bern",CITIES),
("Revenue in Basel was the highest; Bern's Revenue was lowest.",CITIES),
("The Swiss city Basel...",Known(TOWNS,("Which Swiss cities?",),(3,))),
("Based on the data, Basel leads. However, Bern is last. Note: Amounts are in CHF.",Known(TOWNS,("in CHF",),(3,))),
("SQL counted 37 orders.",CITIES),
("Basels Umsatz war am höchsten.",CITIES),
]  # fmt: skip
WRONG = [
("Basel brought 12,435.68.",CITIES,"12,435.68"),("Basel brought 13 thousand.",CITIES,"13"),("Bern brought 12.",CITIES,"12"),("There are four cities.",CITIES,"four"),("Es sind vier Städte.",CITIES,"vier"),
("There are thirteen stores.",TWELVE,"thirteen"),("Es gibt dreizehn Filialen.",TWELVE,"dreizehn"),("There are two dozen stores.",TWELVE,"two"),
("It is Basel, then Geneva with 9,000.",CITIES,"Geneva"),("The most was brought by Lausanne.",CITIES,"Lausanne"),
("Together they brought 25,000.",CITIES,"25,000"),("Basel brought 8 times as much as Bern.",CITIES,"8"),
("on March 6th, 2026",CITIES,"March 6th, 2026"),("on 5 April 2026",CITIES,"5 April 2026"),("am 5. April 2026",CITIES,"5. April 2026"),("in 2023",CITIES,"2023"),
("Two employees are ill.",ONE,"Two"),
("Sales rose by 15 %.",SPRING,"15"),("Sales rose from 1,500 to 1,560.",SPRING,"1,560"),
("1.3 billion dollars",TOTAL,"1.3"),("1,23 Millionen",TOTAL,"1,23"),("rund 2 Mrd. €",TOTAL,"2"),
("\"Meier AG\" grew most.",GROWTH,"Meier AG"),("Müller GmbH grew by 8 %.",GROWTH,"8"),
("5,000 customers brought it.",CITIES,"5,000"),("It took 95 minutes.",TOOK,"95"),("It began at 14:40.",TOOK,"14:40"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "known"), RIGHT)
def test_what_the_result_bears_out_may_be_said(text: str, known: Known) -> None:
    assert unfounded(text, known) == ()


@pytest.mark.parametrize(("text", "known", "made_up"), WRONG)
def test_what_the_result_does_not_bear_out_is_found(text: str, known: Known, made_up: str) -> None:
    assert made_up in unfounded(text, known)


def test_sums_of_rows_that_are_not_all_there_are_nobodys() -> None:
    cut = Known(((10,), (20,)), ("What?", "n"), (500,))
    assert unfounded("In all it is 30.", cut) == ("30",)


def test_a_name_like_a_month_is_a_name() -> None:
    known = Known((("April Jones", "2026-03-01"),), ("Who was first?",), (1,))
    assert unfounded("The first was April Jones on March 1.", known) == ()
