"""What feedback has taught about passages, as it is kept."""
