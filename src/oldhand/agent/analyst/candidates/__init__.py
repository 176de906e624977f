"""Candidate queries: choices for each part, combined by a beam search."""
