"""What a Google-style docstring says about a function and each of its arguments."""

from dataclasses import dataclass, field
from inspect import cleandoc, getdoc

from griffe import Docstring, DocstringSectionKind


@dataclass(frozen=True)
class Described:
    """The words of one docstring."""

    text: str = ""
    """Everything but the sections (`Args:`, `Returns:`, …)."""
    arguments: dict[str, str] = field(default_factory=dict)
    """What is said of each argument, on one line."""


def described(thing: object) -> Described:
    r"""Read the docstring of a function.

    >>> def area(width: float) -> float:
    ...     '''The area of a square.
    ...
    ...     Args:
    ...         width: In metres,
    ...             not in feet.
    ...     '''
    >>> described(area)
    Described(text='The area of a square.', arguments={'width': 'In metres, not in feet.'})
    """
    sections = Docstring(cleandoc(getdoc(thing) or "")).parse("google", warnings=False)
    texts: list[str] = []
    arguments: dict[str, str] = {}
    for section in sections:
        if section.kind is DocstringSectionKind.text:
            texts.append(section.value)
        elif section.kind is DocstringSectionKind.parameters:
            for one in section.value:
                arguments[one.name.lstrip("*")] = " ".join(one.description.split())
    return Described("\n\n".join(texts), arguments)
