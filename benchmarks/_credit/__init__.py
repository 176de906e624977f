"""Parts of the benchmark of what feedback teaches about passages."""
