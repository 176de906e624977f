"""What lessons do to queries: rules about which rows count, and about how tables are joined."""
