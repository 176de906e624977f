"""The trials of lessons, simulated with known truth."""
