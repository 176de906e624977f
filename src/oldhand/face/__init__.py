"""Oldhand and AsyncOldhand: what an engineer imports."""

from oldhand.face.async_face import AsyncOldhand
from oldhand.face.sync_face import Oldhand

__all__ = ["AsyncOldhand", "Oldhand"]
