"""What is not played in the browser, and why: each by name."""

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
