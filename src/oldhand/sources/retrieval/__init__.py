"""The search among passages of documents: by words, by meaning, and by what feedback has taught."""

# pyright: reportUnusedImport=false
from oldhand.sources.retrieval.retriever import ByMeaning, Retriever
