"""Answers, readings and refusals in words."""
