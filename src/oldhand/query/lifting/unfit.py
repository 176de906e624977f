"""What ends a lift: a part of a statement that the form can't hold."""

from collections.abc import Collection

from sqlglot import exp


class Unfit(Exception):
    """A part of a statement has no place in the form. It never leaves `lift`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def only(node: exp.Expr, known: Collection[str]) -> None:
    """Refuse a node in which anything but the known parts is said.

    Raises:
        Unfit: there is more.
    """
    for name, part in node.args.items():
        if part and name not in known:
            raise Unfit(f"{type(node).__name__.lower()} with {name.rstrip('_')}")
