"""What evaluators found, as issues: told apart, counted with each evaluation, searched, and shown at random."""
