"""What asks people, wired to what it needs; imported when somebody is asked."""

from collections.abc import Callable

from oldhand.bootstrap.ground import Ground
from oldhand.loop.consultations.desk import ExpertDesk
from oldhand.loop.consultations.teaching import ConsultationTeaching
from oldhand.loop.critique import FeedbackIntake
from oldhand.loop.people import CloneRoles
from oldhand.sources.databases import check_sql


def desk_of(
    ground: Ground, people: CloneRoles, critique: Callable[[], FeedbackIntake]
) -> ExpertDesk:
    """What asks people for a home."""

    def check(sql: str, database: str | None) -> None:
        names = [database] if database else [entry.name for entry in ground.catalog.list()]
        schemas = ground.catalog.schemas(names[:1]) if names else ()
        check_sql(sql, schemas[0].dialect if schemas else "sqlite")

    return ExpertDesk(
        ground.clone_id,
        ground.store,
        people,
        ground.settings.experts,
        ground.clock,
        ground.new_id,
        ground.mishaps,
        ConsultationTeaching(ground.clone_id, ground.store, critique),
        check,
    )
