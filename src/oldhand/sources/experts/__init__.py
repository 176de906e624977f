"""People as a source: what becomes of a question to them, who is asked, and what replies count."""
