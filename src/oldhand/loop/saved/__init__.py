"""Saved questions at work: asked again as they were read, on time, and their answers sent."""
