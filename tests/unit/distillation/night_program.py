"""Distils as a night does, in the store at URL: `once`, or `hold`, which waits for a line in the middle of its work."""

import sys

from oldhand.learning.distillation.distilling import Distiller
from oldhand.store import Store
from oldhand.testing.clock import FixedClock
from oldhand.testing.records import NOON


def main(url: str, how: str) -> None:
    pages = 0

    def go_on() -> bool:
        nonlocal pages
        pages += 1
        if how == "hold" and pages == 3:
            print("at work", flush=True)
            sys.stdin.readline()
        return True

    with Store.open(url, clock=FixedClock(NOON)) as store, store.night("default") as is_ours:
        if not is_ours:
            print("busy", flush=True)
            return
        Distiller("default", store, batch=7).distil(go_on=go_on)
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
