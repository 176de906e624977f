"""The search over memories by their words: what is searched, the index of it, and its weighing."""
