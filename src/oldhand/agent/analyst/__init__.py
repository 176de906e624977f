"""The built-in mind: rules, offline, honest about what it can do."""
