"""One module per kind of database; each translates its driver's errors into ours."""
