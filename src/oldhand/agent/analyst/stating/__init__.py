"""Rules that people state in words: what they say, and what in them is not understood."""
