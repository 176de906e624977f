"""Which model a question is given to, learned from how answers fared."""

from oldhand.learning.routing.buckets import Bucket, bucket_of, effort_for, situation_for
from oldhand.learning.routing.choosing import Chooser, ModelCandidate, Route

__all__ = [
    "Bucket",
    "Chooser",
    "ModelCandidate",
    "Route",
    "bucket_of",
    "effort_for",
    "situation_for",
]
