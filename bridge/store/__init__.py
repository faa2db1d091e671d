"""The journal: what a world must remember across a crash.  Only this package holds SQL."""
