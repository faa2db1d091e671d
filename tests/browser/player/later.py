"""What is not played in the browser, and why: each by name, and no longer than it must be.

A file stands in ``NOT_YET`` with the words of ``expect`` in which it differs; when it differs no more, its test fails.
"""

from __future__ import annotations

from bridge.table import steps as s

FAULTS: dict[type[s.Step], str] = {
    s.Disconnect: "breaks the link",
    s.Reconnect: "breaks the link and mends it",
    s.RestartBridge: "stops the bridge",
    s.KillBridge: "kills the bridge",
    s.DropAnswers: "loses what the bridge answers",
    s.RepeatLast: "sends a message twice",
    s.ReorderLastTwo: "sends messages in another order",
    s.Raw: "sends what the module would never send",
    s.RestoreWorld: "restores a backup",
    s.SecondGm: "needs a second GM",
}
"""Steps that are faults of the bridge or of the link: the tests of the link itself play those in the browser."""

REASONS: dict[str, str] = {
    "speed": "Speed is published in the catalogue, but what Foundry moves by is not lowered yet",
}
"""Word of ``expect`` -> what the module cannot do yet."""

NOT_YET: dict[str, tuple[str, ...]] = {
    "combining/the-gm-edits-the-level-on-the-document": ("speed",),
    "intoxicated/level-five-halves-the-speed": ("speed",),
    "intoxicated/the-whole-evening-on-an-older-table": ("speed",),
    "intoxicated/the-whole-evening-on-the-newest-table": ("speed",),
    "intoxicated/weary-and-very-drunk": ("speed",),
    "rulebook/chilled-in-a-fight": ("speed",),
}
"""File, as folder/name -> the words of ``expect`` in which it still differs."""
