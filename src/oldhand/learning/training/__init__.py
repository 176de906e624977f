"""Data for training models: pairs, preferences, and a LoRA run on them."""
