"""The simulated table: a Python stand-in for the module and Foundry.

It plays scenarios, makes load for the benchmarks, and tries a rulebook before it is in force.  It speaks the protocol
and knows no path of a system.
"""
