"""Documents and their passages, as they are kept."""
