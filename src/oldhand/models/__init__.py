"""Language models by name, behind one gateway."""
