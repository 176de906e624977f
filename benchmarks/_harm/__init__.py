"""What one correction does to other questions: those that it should mend, and those that it must leave alone."""
