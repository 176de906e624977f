"""Evidence: whether a lesson helps, told apart from chance by leaving it out at random."""
