"""Orders, their lines, and what came back."""

from datetime import date, timedelta
from itertools import accumulate
from random import Random

from oldhand.demo.objects import Customer, OrderItem, Product, Purchase, Return, Shop

PAYMENT_METHODS = ("card", "invoice", "bank transfer", "voucher", "cash")
REASONS = ("damaged", "wrong size", "too late", "not as described", "changed mind")


def sell(
    rng: Random,
    customers: tuple[Customer, ...],
    products: tuple[Product, ...],
    stores: tuple[Shop, ...],
    today: date,
) -> tuple[tuple[Purchase, ...], tuple[OrderItem, ...]]:
    """Orders and their lines: few customers buy often, few products sell a lot."""
    methods = rng.sample(PAYMENT_METHODS, 4)
    regulars = list(accumulate(rng.paretovariate(1.4) for _ in customers))
    favourites = list(accumulate(rng.paretovariate(1.2) for _ in products))
    orders: list[Purchase] = []
    items: list[OrderItem] = []
    for number in range(1, rng.randint(10_000, 13_000)):
        customer = rng.choices(customers, cum_weights=regulars)[0]
        ordered_on = customer.signed_up_on + timedelta(
            days=round((today - customer.signed_up_on).days * rng.random())
        )
        open_stores = [store for store in stores if store.opened_on <= ordered_on]
        online = not open_stores or rng.random() < 0.55
        orders.append(
            Purchase(
                order_id=number,
                customer_id=customer.customer_id,
                store_id=None if online else rng.choice(open_stores).store_id,
                ordered_on=ordered_on,
                status=_status(rng, (today - ordered_on).days),
                payment_method=rng.choices(methods, weights=(8, 4, 2, 1))[0],
                shipping_cost=rng.choice((0.0, 3.9, 4.9, 6.5, 9.9)) if online else 0.0,
            )
        )
        for product in rng.choices(
            products, cum_weights=favourites, k=min(1 + int(rng.expovariate(0.8)), 8)
        ):
            items.append(
                OrderItem(
                    order_item_id=len(items) + 1,
                    order_id=number,
                    product_id=product.product_id,
                    quantity=min(1 + int(rng.expovariate(1.1)), 12),
                    unit_price=round(product.price * rng.choice((1.0, 1.0, 1.0, 0.9, 0.8)), 2),
                )
            )
    return tuple(orders), tuple(items)


def send_back(
    rng: Random, orders: tuple[Purchase, ...], items: tuple[OrderItem, ...], today: date
) -> tuple[Return, ...]:
    """About one line in sixteen comes back."""
    returns: list[Return] = []
    for item in items:
        order = orders[item.order_id - 1]
        returned_on = order.ordered_on + timedelta(days=rng.randint(3, 40))
        if rng.random() < 0.06 and order.status == "delivered" and returned_on <= today:
            returns.append(
                Return(
                    return_id=len(returns) + 1,
                    order_item_id=item.order_item_id,
                    returned_on=returned_on,
                    reason=None if rng.random() < 0.18 else rng.choice(REASONS),
                    refund=round(item.unit_price * rng.randint(1, item.quantity), 2),
                )
            )
    return tuple(returns)


def _status(rng: Random, age_days: int) -> str:
    if rng.random() < 0.05:
        return "cancelled"
    if age_days > 21:
        return "delivered"
    return rng.choice(("processing", "shipped", "delivered"))
