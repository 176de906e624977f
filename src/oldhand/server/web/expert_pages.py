"""Questions to people: those that wait for whoever looks, and those that they asked."""

from oldhand.record.access import Role
from oldhand.server.web.page import Page, View, Visit

_SHOWN = 20


async def inbox(visit: Visit) -> View:
    """What waits for an expert, and what became of one's own questions."""
    experts, user = visit.old.experts, visit.caller.user
    waiting = await experts.inbox(user) if visit.may("experts.inbox") else ()
    asked = await experts.questions(user)
    return {"waiting": waiting, "asked": asked[:_SHOWN]}


PAGES = (Page("/inbox", "Inbox", Role.MEMBER, inbox, "inbox.html", group="", key="i"),)
