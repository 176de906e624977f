"""The readable journal: what is saved waits in the store and is then written to files, one record a line."""
