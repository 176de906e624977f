"""Acting with tools."""
