"""Oldhand in the browser: pages over the same methods that programs call, without a build step and without anything from outside."""
