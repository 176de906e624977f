"""The search among passages, measured: how good, how fast, how large."""
