"""What feedback on answers teaches about the passages that they were made of."""
