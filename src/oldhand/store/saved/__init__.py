"""Saved questions, as they are kept."""
