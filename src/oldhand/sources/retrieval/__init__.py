"""The search among passages of documents: by words, by meaning, and by what feedback has taught."""

from oldhand.sources.retrieval.ranking import PlainRanker
from oldhand.sources.retrieval.retriever import ByMeaning, Retrieved, Retriever

__all__ = ["ByMeaning", "PlainRanker", "Retrieved", "Retriever"]
