"""Adds a folder of documents and is killed before it reads one of them.

python adding_program.py HOME FOLDER NUMBER
"""

import os
import signal
import sys
from pathlib import Path

from oldhand import Oldhand


def main(home: Path, folder: Path, number: int) -> None:
    def watch(done: int, _of: int, _source: str) -> None:
        if done == number:
            os.kill(os.getpid(), signal.SIGKILL)

    with Oldhand(home) as old:
        old.documents.add(folder, watch=watch)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
