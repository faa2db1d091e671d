"""Steps that go wrong on purpose: links that break, bridges that die, messages that come twice."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

import msgspec

from bridge.decode import encode, frame
from bridge.protocol import Picture

from .files import ScenarioError
from .steps import (
    Disconnect,
    DropAnswers,
    KillBridge,
    Raw,
    Reconnect,
    ReorderLastTwo,
    RepeatLast,
    RestartBridge,
    RestoreWorld,
    SecondGm,
    Step,
)
from .table import NotDone

if TYPE_CHECKING:
    from .story import Story

BREAKING = (RestartBridge, KillBridge)
"""Steps that a bridge which is not ours does not have to bear."""


@singledispatch
def go_wrong(step: Step, story: Story) -> bool:
    """Do a step that is about the link or the bridge; false for every other step."""
    del step, story
    return False


@go_wrong.register(Disconnect)
def _(_step: Disconnect, story: Story) -> bool:
    story.disconnect()
    return True


@go_wrong.register(Reconnect)
def _(_step: Reconnect, story: Story) -> bool:
    story.disconnect()
    story.connect()
    return True


@go_wrong.register(RestartBridge)
@go_wrong.register(KillBridge)
def _(step: RestartBridge | KillBridge, story: Story) -> bool:
    was = story.table.linked
    story.table.disconnected()
    story.link.restart(kill=isinstance(step, KillBridge))
    if was:
        story.connect()
    return True


@go_wrong.register(RestoreWorld)
def _(step: RestoreWorld, story: Story) -> bool:
    backup = story.backups.get(step.step)
    if backup is None:
        message = f"there is no backup of step {step.step}: name a step before this one, the first is 1"
        raise ScenarioError(message)
    was = story.table.linked
    story.disconnect()
    story.table.documents = backup.copy()
    if was:
        story.connect()
    return True


@go_wrong.register(SecondGm)
def _(_step: SecondGm, story: Story) -> bool:
    story.table.record.errors += story.link.meet_second(story.table.about)
    return True


@go_wrong.register(RepeatLast)
def _(_step: RepeatLast, story: Story) -> bool:
    _again(story, 1, "repeat")
    return True


@go_wrong.register(ReorderLastTwo)
def _(_step: ReorderLastTwo, story: Story) -> bool:
    _again(story, 2, "reorder")
    return True


@go_wrong.register(DropAnswers)
def _(_step: DropAnswers, story: Story) -> bool:
    story.losing = True
    return True


@go_wrong.register(Raw)
def _(step: Raw, story: Story) -> bool:
    if not story.table.linked:
        message = "there is no link to send this over"
        raise NotDone("invalid", message)
    try:
        n = msgspec.json.decode(step.message, type=_Numbered).n
    except msgspec.DecodeError:
        n = None
    story.table.counted(n)
    story.link.send_text(step.message)
    # What the bridge says to this is known to have come when the next message is acknowledged.
    story.table.show(Picture(0))
    return True


class _Numbered(msgspec.Struct):
    n: int | None = None


def _again(story: Story, count: int, what: str) -> None:
    last = story.table.again(count) if story.table.linked else None
    if last is None:
        message = f"there is nothing to {what}"
        raise ScenarioError(message)
    if last:
        story.link.send_text(frame([encode(message) for message in last]))
    story.table.show(Picture(0))
