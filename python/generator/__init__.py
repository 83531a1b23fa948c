"""Generates the parts of the package that follow from gradyn's public headers."""
