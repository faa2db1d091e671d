"""Plays scenario files through the real module: real Chromium, a real bridge, the stand-in Foundry.

The simulated table in `bridge/table` plays the same files without a browser; both must come to the same results.
"""
