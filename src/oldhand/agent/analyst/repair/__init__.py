"""Repair of rejected statements by rule."""
