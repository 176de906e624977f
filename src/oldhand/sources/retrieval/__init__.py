"""The search among passages of documents: by words, by meaning, and by what feedback has taught."""

from oldhand.sources.retrieval.ranking import PlainRanker
from oldhand.sources.retrieval.retriever import Retriever

__all__ = ["PlainRanker", "Retriever"]
