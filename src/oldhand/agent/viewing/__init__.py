"""What a language model gets to see of the schemas for one question."""
