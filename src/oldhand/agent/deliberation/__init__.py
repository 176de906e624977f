"""Several voices on one question: their rows are compared, and the likeliest answer is chosen."""
