"""The nouns: frozen, without I/O; and the small protocols that join the rooms."""
