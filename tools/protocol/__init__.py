"""What is derived from the protocol: JSON Schema, the module's types, and `docs/protocol.md` with real examples."""
