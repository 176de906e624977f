"""What asks saved questions and sends their answers, wired to what it needs; imported when there are any."""

from collections.abc import Callable

from oldhand.bootstrap.ground import Ground
from oldhand.loop.rehearsing import Rehearsal
from oldhand.loop.saved.appointments import Appointments
from oldhand.loop.saved.asking import SavedAsking
from oldhand.loop.saved.sending import AnswerSender


def appointments_of(ground: Ground, rehearsal: Callable[[], Rehearsal]) -> Appointments:
    """What keeps the schedules of a home."""
    settings = ground.settings
    asking = SavedAsking(
        ground.clone_id,
        ground.store,
        ground.catalog,
        settings,
        ground.clock,
        ground.new_id,
        rehearsal,
    )
    sender = AnswerSender(settings.saved)
    return Appointments(asking, sender, settings.saved, ground.clock, ground.mishaps)
