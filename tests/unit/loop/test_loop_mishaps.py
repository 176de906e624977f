"""What is left over when a program ends says nothing on the terminal of its owner."""

import subprocess
import sys

_ENDED = """
import threading
from oldhand.errors.mishaps import Mishaps

def left_over():
    threading.main_thread().join()
    print(Mishaps().spared("night", lambda: 1 / 0))

threading.Thread(target=left_over).start()
"""


def test_what_fails_because_the_program_has_ended_is_not_told() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _ENDED], capture_output=True, text=True, timeout=600, check=True
    )
    assert ended.stdout == "Mishap(error='ZeroDivisionError: division by zero')\n"
    assert not ended.stderr
