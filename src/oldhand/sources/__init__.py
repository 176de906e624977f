"""What can be consulted."""
