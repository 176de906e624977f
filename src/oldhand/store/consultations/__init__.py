"""Questions to people, as they are kept."""
