"""What a query must keep to before it may be the best answer to a question."""
