"""The words of questions and schemas, and what they tell."""
