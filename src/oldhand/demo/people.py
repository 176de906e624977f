"""Customers, employees and the tickets between them."""

from datetime import date, datetime, time, timedelta
from random import Random

from oldhand.demo.objects import Customer, Employee, Shop, Ticket
from oldhand.demo.words import WORDS, City

Span = tuple[date, date]
"""First and last day."""

SEGMENTS = ("private", "business", "school", "club")
TOPICS = ("delivery", "billing", "warranty", "damage", "assembly", "exchange")
PRIORITIES = ("low", "normal", "high", "urgent")

JOBS: dict[str, tuple[tuple[str, int], ...]] = {
    "Sales": (("Sales Assistant", 27_000), ("Store Manager", 44_000)),
    "Purchasing": (("Buyer", 41_000),),
    "Finance": (("Accountant", 46_000), ("Controller", 58_000)),
    "Service": (("Support Agent", 31_000), ("Technician", 36_000)),
    "Logistics": (("Driver", 29_000), ("Warehouse Clerk", 28_000)),
}
"""The jobs of each department with their typical yearly salary in euros."""

IN_STORES = {"Sales Assistant": 50, "Store Manager": 12, "Technician": 16}
IN_HEAD_OFFICE = {
    "Buyer": 7,
    "Accountant": 6,
    "Controller": 3,
    "Support Agent": 14,
    "Driver": 11,
    "Warehouse Clerk": 13,
}


def sign_up(rng: Random, cities: tuple[City, ...], span: Span) -> tuple[Customer, ...]:
    """Customers, most of them in the first few cities."""
    first, last = span
    days = (last - first).days
    towns = rng.choices(
        [city.name for city in cities],
        weights=[1 / rank for rank in range(1, len(cities) + 1)],
        k=rng.randint(2_800, 3_600),
    )
    customers: list[Customer] = []
    for number, town in enumerate(towns, 1):
        given, family = rng.choice(WORDS.first_names), rng.choice(WORDS.last_names)
        customers.append(
            Customer(
                customer_id=number,
                name=f"{given} {family}",
                email=None
                if rng.random() < 0.08
                else f"{given}.{family}{number}@mail.example".lower(),
                city=town,
                segment=rng.choices(SEGMENTS, weights=(78, 14, 5, 3))[0],
                loyalty_points=None if rng.random() < 0.25 else round(rng.paretovariate(1.1) * 40),
                newsletter=rng.random() < 0.37,
                signed_up_on=first + timedelta(days=round(days * rng.random() ** 0.8)),
            )
        )
    return tuple(customers)


def hire(rng: Random, stores: tuple[Shop, ...], span: Span) -> tuple[Employee, ...]:
    """Employees in the stores and the head office; no two earn the same."""
    posts: list[tuple[str, int | None]] = []
    for title, share in IN_STORES.items():
        posts += [(title, rng.choice(stores).store_id) for _ in range(_about(rng, share))]
    for title, share in IN_HEAD_OFFICE.items():
        posts += [(title, None) for _ in range(_about(rng, share))]
    rng.shuffle(posts)
    posts.sort(key=lambda post: post[0] != "Store Manager")  # whoever is managed comes later
    typical = {title: (department, pay) for department, jobs in JOBS.items() for title, pay in jobs}
    names = rng.sample(
        [f"{given} {family}" for given in WORDS.first_names for family in WORDS.last_names],
        len(posts),
    )
    managers: dict[int | None, int] = {}
    for number, (title, store_id) in enumerate(posts, 1):
        if title == "Store Manager":
            managers.setdefault(store_id, number)
    paid: set[int] = set()
    employees: list[Employee] = []
    for number, ((title, store_id), name) in enumerate(zip(posts, names, strict=True), 1):
        department, pay = typical[title]
        salary = round(pay * rng.lognormvariate(0, 0.14) / 50) * 50
        while salary in paid:
            salary += 50
        paid.add(salary)
        manager = None if title == "Store Manager" else managers.get(store_id)
        hired = span[0] + timedelta(days=rng.randrange((span[1] - span[0]).days))
        employees.append(
            Employee(number, name, title, department, salary, store_id, manager, hired)
        )
    return tuple(employees)


def open_tickets(
    rng: Random, customers: tuple[Customer, ...], employees: tuple[Employee, ...], today: date
) -> tuple[Ticket, ...]:
    """What customers asked for, and what answering it cost."""
    agents = [person.employee_id for person in employees if person.department == "Service"]
    topics = rng.sample(TOPICS, 5)
    busy = [rng.paretovariate(1.5) for _ in agents]
    tickets: list[Ticket] = []
    for number in range(1, rng.randint(3_600, 4_600)):
        customer = rng.choice(customers)
        open_for = max((today - customer.signed_up_on).days, 1)
        minute = timedelta(minutes=rng.randrange(7 * 60, 20 * 60))
        opened = (
            datetime.combine(customer.signed_up_on, time())
            + timedelta(days=rng.randrange(open_for))
            + minute
        )
        closed = opened + timedelta(minutes=round(rng.expovariate(1 / 2_200)) + 5)
        done = closed.date() < today and rng.random() < 0.93
        tickets.append(
            Ticket(
                ticket_id=number,
                customer_id=customer.customer_id,
                employee_id=rng.choices(agents, weights=busy)[0],
                topic=rng.choices(topics, weights=(9, 6, 4, 3, 2))[0],
                priority=rng.choices(PRIORITIES, weights=(3, 12, 4, 1))[0],
                opened_at=opened,
                closed_at=closed if done else None,
                satisfaction=rng.choices((1, 2, 3, 4, 5), weights=(2, 2, 4, 8, 6))[0]
                if done and rng.random() < 0.45
                else None,
                cost=f"{rng.lognormvariate(2.6, 0.7):.2f}" if rng.random() < 0.8 else None,
            )
        )
    return tuple(tickets)


def _about(rng: Random, number: int) -> int:
    return max(2, round(number * rng.uniform(0.75, 1.3)))
