"""Processes of their own for what runs on this machine: databases in files, and the place where rows of several meet.

No database heeds an interrupt inside of one call of a function, and none keeps to its memory everywhere. A process does
both: it can be killed, and the operating system holds it to its limits. One *nursery* per program is started ahead and
imports the drivers once; each *worker* is forked from it in milliseconds and holds one connection.

Modules here are imported by workers, so they import little.
"""
