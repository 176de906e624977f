"""Distillation: what many reflections propose becomes few lessons, each with its evidence."""
