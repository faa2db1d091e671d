"""Chores of the project, and what writes the generated pages."""
