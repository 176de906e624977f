"""The semantic layer: measures and conditions that people have named, as further columns of their tables."""
