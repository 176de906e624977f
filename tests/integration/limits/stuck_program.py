"""Opens the database named on the command line, says the numbers of its workers, and gets stuck in a statement."""

import sys
import threading

from oldhand.record.clone import DatabaseEntry
from oldhand.sources.databases import open_database

STUCK = "SELECT instr(hex(zeroblob(7900000)), hex(zeroblob(3900000)) || 'b')"

if __name__ == "__main__":
    database = open_database(DatabaseEntry(name="shop", url=sys.argv[1]))
    thread = threading.Thread(
        target=database.fetch, args=(STUCK,), kwargs={"rows": 1, "seconds": 600}
    )
    thread.start()
    while not (sessions := [run._session for run in tuple(database._runs) if run._session]):
        pass
    print(sessions[0]._pid, sessions[0]._nursery._process.pid, flush=True)
    thread.join()
