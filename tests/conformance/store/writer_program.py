"""Writes episodes and feedback until it is done or killed, and says what the store acknowledged.

python writer_program.py URL JOURNAL NAME COUNT
"""

import sys
from pathlib import Path

from oldhand.store import Journal, Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import example_episode, example_feedback


def main(url: str, journal: str, name: str, count: int) -> None:
    with Store.open(url, clock=FixedClock(), journal=Journal(Path(journal))) as store:
        for n in range(count):
            episode_id = f"{name}-{n}"
            store.record_episode(example_episode(episode_id))
            print("episode", episode_id, flush=True)
            feedback = example_feedback(f"of-{episode_id}", +1, episode_id=episode_id)
            store.add_feedback(feedback)
            print("feedback", episode_id, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4], count=int(sys.argv[4]))
