"""From a question to an answer, step by step."""
