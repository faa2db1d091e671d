"""What is not played in the browser, and why: each by name, and no longer than it must be.

A file stands in ``NOT_YET`` with the words of ``expect`` in which it differs, and fails when it does not differ any more.
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
    "speed": "Speed is published in the catalogue, and not yet taken off what Foundry moves by",
    "denied": "limits on actions are published in the catalogue, and not yet enforced",
}
"""Word of ``expect`` -> what the module cannot do yet."""

NOT_YET: dict[str, tuple[str, ...]] = {
    "combining/a-forced-condition-is-not-fought": ("speed",),
    "combining/the-gm-edits-the-level-on-the-document": ("speed",),
    "intoxicated/in-combat-the-turn-asks": ("denied",),
    "intoxicated/level-five-halves-the-speed": ("speed",),
    "intoxicated/out-cold-cannot-act": ("denied",),
    "intoxicated/the-lost-action-is-for-this-turn": ("denied",),
    "intoxicated/the-whole-evening-on-an-older-table": ("speed",),
    "intoxicated/the-whole-evening-on-the-newest-table": ("speed",),
    "intoxicated/weary-and-very-drunk": ("speed",),
}
"""File, as folder/name -> the words of ``expect`` in which it still differs."""
