"""What the values of a database look like, measured by SQL."""
