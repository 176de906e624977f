"""One module for each kind of document: bytes into blocks. They run in a process of their own, and import little."""
