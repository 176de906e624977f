"""Documents: read within bounds, cleaned of what nobody sees, and cut into passages along their own structure."""
