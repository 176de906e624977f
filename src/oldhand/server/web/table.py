"""The table of pages: one tuple for each module that makes some. See docs/explanation/web.md."""

from oldhand.server.web import (
    ask_pages,
    care_pages,
    expert_pages,
    learning_pages,
    memory_pages,
    saved_pages,
    source_pages,
)
from oldhand.server.web.page import Page

PAGES: tuple[Page, ...] = (
    *ask_pages.PAGES,
    *saved_pages.PAGES,
    *expert_pages.PAGES,
    *learning_pages.PAGES,
    *memory_pages.PAGES,
    *source_pages.PAGES,
    *care_pages.PAGES,
)
"""Every page of an assistant, in the order of the navigation."""
