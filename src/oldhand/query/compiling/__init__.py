"""From the form to SQL."""
