"""Oldhand: an agent that learns on the job."""
