"""A stand-in for Foundry VTT: one simulated server, any number of real browser clients."""
