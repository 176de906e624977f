"""What asks saved questions and sends their answers, wired to what it needs; imported when there are any."""

from typing import TYPE_CHECKING

from oldhand.loop.saved.appointments import Appointments
from oldhand.loop.saved.asking import SavedAsking
from oldhand.loop.saved.sending import AnswerSender

if TYPE_CHECKING:
    from oldhand.bootstrap.home import Home


def appointments_of(home: "Home") -> Appointments:
    """What keeps the schedules of a home."""
    settings = home.settings
    asking = SavedAsking(home, settings, lambda: home.rehearsal)
    sender = AnswerSender(settings.saved)
    return Appointments(asking, sender, settings.saved, home.clock, home.mishaps)
