"""Keys that no schema declares: inferred from names, types, uniqueness and the values that columns share."""
