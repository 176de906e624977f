"""The things a small company keeps records of: named tuples in the order of their table's columns, from which the right answers are computed."""

from datetime import date, datetime
from typing import NamedTuple


class Customer(NamedTuple):
    """Somebody who has signed up; stored in `shop`."""

    customer_id: int
    name: str
    email: str | None
    city: str
    segment: str
    loyalty_points: int | None
    newsletter: bool
    signed_up_on: date


class Purchase(NamedTuple):
    """A purchase; `store_id` is None when it was made online."""

    order_id: int
    customer_id: int
    store_id: int | None
    ordered_on: date
    status: str
    payment_method: str
    shipping_cost: float


class OrderItem(NamedTuple):
    """A line of an order, at the price of the day."""

    order_item_id: int
    order_id: int
    product_id: int
    quantity: int
    unit_price: float


class Return(NamedTuple):
    """A line of an order that came back."""

    return_id: int
    order_item_id: int
    returned_on: date
    reason: str | None
    refund: float


class Supplier(NamedTuple):
    """Who makes the products; stored in `warehouse`."""

    supplier_id: int
    name: str
    country: str
    lead_time_days: int
    email: str | None


class Product(NamedTuple):
    """What is sold."""

    product_id: int
    name: str
    category: str
    supplier_id: int
    price: float
    weight_kg: float | None
    discontinued: bool
    introduced_on: date


class Shop(NamedTuple):
    """A shop on the map, in degrees north and east (WGS 84)."""

    store_id: int
    name: str
    city: str
    latitude: float
    longitude: float
    floor_area: int
    opened_on: date


class StockLevel(NamedTuple):
    """How many pieces of a product lie in a store."""

    store_id: int
    product_id: int
    quantity: int
    counted_on: date


class Employee(NamedTuple):
    """Somebody on the payroll; stored in `support`. `store_id` is None in the head office."""

    employee_id: int
    name: str
    job_title: str
    department: str
    salary: int
    store_id: int | None
    manager_id: int | None
    hired_on: date


class Ticket(NamedTuple):
    """A customer's complaint or question; `cost` is text such as `12.50`, as the old system left it."""

    ticket_id: int
    customer_id: int
    employee_id: int
    topic: str
    priority: str
    opened_at: datetime
    closed_at: datetime | None
    satisfaction: int | None
    cost: str | None


Thing = (
    Customer
    | Purchase
    | OrderItem
    | Return
    | Supplier
    | Product
    | Shop
    | StockLevel
    | Employee
    | Ticket
)
