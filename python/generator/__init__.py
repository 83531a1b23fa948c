"""Writes what the package takes from gradyn's public headers."""
