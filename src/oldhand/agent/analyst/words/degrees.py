"""Adjectives of degree: whether the most of them is at the top or at the bottom, whatever is measured."""

DOWNWARDS = frozenset({"low", "small", "short", "bad", "few", "cheap", "light", "young", "early"})
UPWARDS = frozenset(
    {"high", "large", "great", "big", "most", "good", "long", "late", "recent", "new"}
)
