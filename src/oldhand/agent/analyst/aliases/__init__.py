"""Words that people use for tables, columns and values: known to linking, and found in confirmed pairs."""
