"""Questions to documents, and what their right answers hold."""
