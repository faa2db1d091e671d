"""Condition Bridge: house-rule conditions for Foundry VTT tables, decided beside Foundry and carried out in it."""

__version__ = "0.1.0"
