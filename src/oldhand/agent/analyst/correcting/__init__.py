"""What people say in words of an answer that was wrong, as another query."""
