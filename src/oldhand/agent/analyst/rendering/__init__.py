"""What trees of the analyst are about: tables, roles, headings."""
