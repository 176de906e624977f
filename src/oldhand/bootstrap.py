"""Where concrete classes are named and wired."""
