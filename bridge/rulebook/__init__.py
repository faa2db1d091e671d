"""The rulebook file: settings, texts and a GM's own conditions, as TOML that people write.

``book.read`` turns text into an engine ``Rulebook`` or into problems in plain words; ``edit`` changes a key and keeps
every comment; ``dry_run.changes`` says what another rulebook would change for the creatures now on the table.
"""
