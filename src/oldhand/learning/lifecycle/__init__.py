"""What becomes of lessons: believed more or less, set aside, taken back, let go of."""
