"""What ``docs/protocol.md`` says beside what is read out of the code."""

from __future__ import annotations

from bridge import errors

INTRODUCTION = """
# Protocol

*Generated from `bridge/protocol.py` by `python -m tools.protocol.docs`; do not edit. Versions: {versions}.
The same as JSON Schema: [protocol.schema.json](protocol.schema.json); as types for the module:
[foundry-module/types/protocol.d.ts](../foundry-module/types/protocol.d.ts).*

One WebSocket per world, text frames, one JSON object per frame. `type` says which message it is; several in one
frame are a [`batch`](#batch). Fields that are not known are ignored, so that a newer side can say more; a field that is
left out has its default; a whole number may be written `7` or `7.0`. `NaN`, infinities and numbers out of bounds are
refused with the path of the field. A message that is wrong is answered with [`error`](#error) and spoils no other.

How a conversation goes:

1. The bridge sends [`challenge`](#challenge).
2. A new browser sends [`pair`](#pair) with the code that the GM typed, and gets its key with [`paired`](#paired).
3. The browser proves the key with [`auth`](#auth); the bridge answers with its own proof in [`welcome`](#welcome), and
   with the [`catalogue`](#catalogue).
4. The module shows the whole world as [`picture`](#picture)s in pages, then each write and happening as it comes,
   numbered `n` = 1, 2, 3 … in this session. A message that arrives twice counts once; one that arrives early waits for
   those before it.
5. The bridge answers with [`ack`](#ack), when all up to that number is on disk, and with [`apply`](#apply). What an
   Apply did is seen in the next picture, by the receipt on the creature; there is no other confirmation.
6. After a break all begins again at 1. Happenings that were not acknowledged are sent again with the same `id`.
"""
MEETING = "Nothing of a world is reachable before both sides have proved the key."
FROM_MODULE = """
After `welcome`. [Pictures](#picture) say what Foundry holds, happenings (from [`drank`](#drank) to [`said`](#said))
what leaves no trace in it. A happening is kept by the module until it is acknowledged, and counts once however often it
comes. One word of the GM's may be about several creatures (`others`). What a GM's window shows is asked for with
[`ask`](#ask), which has no number, changes nothing and is not kept. Happenings of players are believed because they
come from a document that the player owns. Every one has these fields, and those of its own:
"""
FROM_BRIDGE = "After `welcome`, next to `batch` and `error`, which both may be sent at any time."
OPERATIONS = """
What an [`apply`](#apply) may ask for: these and nothing else. Every one is a comparison and a change (`was`, then the
new value) and safe to repeat.
"""
SHEET = "What a picture shows of each creature that changed. It is whole every time; the bridge finds the differences."
PROOF = """
## Proof of the key

HMAC-SHA256, key and result in hex; the text is UTF-8, its parts joined by `|`. Both nonces are at least 32 hex digits
and fresh for each connection; `origin` is the page's Origin header, as the bridge sees it.

| | text |
| --- | --- |
| `auth.mac` | `client\\|bridge nonce\\|module nonce\\|world\\|origin` |
| `welcome.mac` | `server\\|module nonce\\|bridge nonce\\|world` |

With the key, nonces and world of the examples above and the origin `{origin}`:

```
auth.mac    = HMAC-SHA256(key, "{client_text}")
            = {client_mac}
welcome.mac = HMAC-SHA256(key, "{server_text}")
            = {server_mac}
```
"""
AGAIN = "connects again, each time a little later"
NEVER = "stays away and shows the sentence"
REACTIONS = {
    errors.CloseCode.STOPPING: AGAIN,
    errors.CloseCode.BINARY: AGAIN,
    errors.CloseCode.BAD_TEXT: AGAIN,
    errors.CloseCode.TOO_BIG: AGAIN,
    errors.CloseCode.INTERNAL: AGAIN,
    errors.CloseCode.MALFORMED: AGAIN,
    errors.CloseCode.REVOKED: NEVER + "; the GM pairs again",
    errors.CloseCode.TAKEN: "waits, and tries again from time to time",
    errors.CloseCode.NOT_PROVEN: AGAIN,
    errors.CloseCode.FLOOD: AGAIN,
    errors.CloseCode.TOO_SLOW: AGAIN,
    errors.CloseCode.VERSION: NEVER,
    errors.CloseCode.SUPERSEDED: "stops; it goes on when the other tab closes, or by hand",
    errors.CloseCode.OTHER_WORLD: NEVER + "; the GM pairs again",
    errors.CloseCode.DEGRADED: AGAIN,
}
ERRORS = {
    "invalid": "The message does not fit the schema, or makes no sense; the text names the field's path. Of a picture"
    " the sheets that fit are taken; the text names the creature that was left out.",
    "unknown-type": "There is no message of this type.",
    "too-large": "The frame has more bytes than `welcome.limits.message`; nothing of it was taken.",
    "too-many": "More messages in a batch, or sheets in a picture, than `welcome.limits` allows.",
    "not-allowed": "This user may not do that.",
    "already-done": "The button was pressed already.",
    "unknown-actor": "The creature is not known to the bridge.",
    "unknown-condition": "The rulebook has no such condition.",
    "immune": "The creature is immune to the condition.",
    "version": "No protocol version is spoken by both sides; the text says which side is too old.",
    "not-paired": "The code is wrong, or the proof of the key is.",
    "taken": "Another GM's browser speaks for this world.",
    "conflict": "It cannot be done as things are now; the text says why.",
    "unknown-view": "The bridge has no such view.",
    "info": "Nothing is wrong: the text answers what was asked, e.g. `/conditions`.",
}

PLAIN = {
    "n": "The number of this message in its session: 1, 2, 3 … without a gap.",
    "protocol": "The range of versions that the sender speaks; in `welcome`, the one that is spoken from now on.",
    "nonce": "Random hex digits, fresh for every connection.",
    "mac": "The proof; see *Proof of the key*.",
    "by": "Which user did it.",
    "id": "Its id.",
    "name": "Its name, as text.",
    "label": "Its name as the user sees it, as text.",
    "user": "The id of a Foundry user.",
    "userName": "The user's name, as text.",
    "table": "What Foundry is.",
    "client": "The id of the paired browser.",
    "text": "Plain English.",
}
"""Field names that mean the same wherever they stand without a word of their own."""
WORDS = {
    "Versions.min": "The oldest.",
    "Versions.max": "The newest.",
    "Challenge.version": "The bridge's own version.",
    "Table.core": "Foundry's version.",
    "Table.system": "The version of dnd5e.",
    "Table.module": "The version of our module.",
    "Table.modules": "Ids of other active modules that matter to the rules.",
    "Pair.code": "As typed: capitals, dashes and spaces do not matter.",
    "Pair.user_name": "The user's name, as text.",
    "Paired.key": "To be kept in this browser and nowhere else.",
    "Auth.user_name": "The user's name, as text.",
    "SessionLimits.message": "Bytes of one frame.",
    "SessionLimits.batch": "Messages in one batch.",
    "SessionLimits.page": "Sheets in one picture.",
    "Welcome.session": "The id of this conversation, as the log names it.",
    "Welcome.limits": "What the bridge accepts.",
    "Welcome.rulebook": "The name of the rulebook that is in force for this world.",
    "By.gm": "It is a GM.",
    "Cause.kind": "One of the kinds above.",
    "Combatant.initiative": "As rolled; left out before that.",
    "Combatant.defeated": "Marked as defeated.",
    "Combat.round": "The round, from 1.",
    "Combat.turn": "Whose turn it is: a place in `order`, from 0.",
    "Combat.order": "All combatants, in the order of their turns.",
    "Combat.scene": "The scene that the combat belongs to, if any.",
    "Picture.actors": "The creatures that changed, each with its whole sheet.",
    "Picture.combats": "The combats that changed, each whole.",
    "Picture.cause": "What the change comes from, as far as the module knows.",
    "Picture.page": "Which page this is, from 1.",
    "Picture.pages": "How many pages there are; 0 when the world is not being shown.",
    "CardState.data": "`data` of the card.",
    "Drank.count": "How many drinks.",
    "Drank.strength": "As how many each of them counts (INT-5).",
    "Drank.willing": "It chose to get drunk although immune (INT-6).",
    "Ate.what": "Which of the two.",
    "RestBegan.kind": "Which rest.",
    "RestFinished.kind": "Which rest.",
    "RestFinished.length": "Its length in seconds.",
    "RestFinished.hit_dice_before": "Class → its Hit Dice before the rest.",
    "Refused.amount": "The rise that would have happened.",
    "Refused.cause": "What it came from.",
    "Rolled.request": "The id of the card that asked.",
    "Rolled.reason": "`reason` of the request.",
    "Rolled.dc": "What had to be reached.",
    "Rolled.total": "What was rolled; left out when only the outcome is known.",
    "Rolled.success": "The outcome, where there is no total.",
    "DiceRolled.request": "The id of the card that asked.",
    "DiceRolled.reason": "`reason` of the request.",
    "DiceRolled.total": "What was rolled.",
    "Pressed.button": "The id of the button.",
    "Pressed.card": "The card, as its flag holds it.",
    "Pressed.owner": "The user owns the creature.",
    "Used.what": "What it used; `attack` is an attack of the Attack action.",
    "Used.label": "What it did, as text.",
    "Said.text": "The whole line, as typed.",
    "Given.condition": "Which.",
    "Given.level": "The level to have; 1 where there are no levels.",
    "Given.dc": "What the save must reach.",
    "Ask.id": "Comes back with the answer.",
    "Control.label": "What stands on it.",
    "Ends.round": "The round in which it is over.",
    "Ends.combat": "The combat whose rounds are counted.",
    "Row.id": "Its own in the list.",
    "Row.title": "The name, where there is no such creature any more.",
    "Row.level": "The level of the condition, where it has levels.",
    "Row.lines": "What is said of it.",
    "Row.ends": "What is counted down.",
    "Row.controls": "Its buttons.",
    "Rows.id": "Its own in the view.",
    "Rows.title": "The heading.",
    "Rows.rows": "The rows.",
    "Note.line": "The sentence.",
    "Note.tone": "How it looks.",
    "Choice.value": "The value.",
    "Choice.label": "What is shown for it.",
    "Field.key": "The field of the message that it fills.",
    "Field.label": "What stands beside it.",
    "Field.hint": "What stands below it.",
    "Field.value": "What is set now.",
    "Field.choices": "The values of `choice` and `tags`.",
    "Field.least": "The smallest number.",
    "Field.most": "The largest number.",
    "Form.id": "Its own in the view.",
    "Form.title": "The heading.",
    "Form.fields": "The fields.",
    "Form.controls": "Its buttons.",
    "View.what": "Which view it is.",
    "View.title": "The heading.",
    "View.parts": "What it shows, in this order.",
    "Answer.view": "The view.",
    "Undo.decision": "The number of the decision.",
    "Failed.apply": "`id` of the Apply.",
    "Failed.code": "Why.",
    "Failed.message": "In words, for the log.",
    "Batch.messages": "The messages, in order; none of them a batch.",
    "Error.code": "One of the [error codes](#error-codes).",
    "Error.message": "One plain sentence.",
    "Error.about": "`n` of the message that it answers.",
    "Error.id": "`id` of the message that it answers.",
    "Button.label": "What stands on it, in English.",
    "Button.who": "Who may press it.",
    "Line.key": "A key of `lang/`, under `Card.`.",
    "Line.text": "The whole line in English, for a client without that key.",
    "Line.data": "What the translated line is filled with.",
    "Line.level": "The level of the condition, where it has levels.",
    "Card.kind": "What it is about: this decides how it looks.",
    "Card.title": "Its heading.",
    "Card.lines": "What it says.",
    "Card.buttons": "What can be done.",
    "Card.audience": "Who sees it.",
    "SetHitPoints.was": "The hit points that must be there.",
    "SetHitPoints.value": "The hit points to set.",
    "SetHitPoints.was_temp": "The temporary ones that must be there.",
    "SetHitPoints.temp": "The temporary ones to set.",
    "SetHitPoints.quiet": "A correction: no save, no card and no other reaction follows from it.",
    "ApplyDamage.amount": "Damage before resistances.",
    "ApplyDamage.damage": "Its type.",
    "ApplyDamage.id": "The same id again is the same damage.",
    "SetHitDice.was": "Class → Hit Dice that must be left there.",
    "SetHitDice.left": "Class → Hit Dice to leave.",
    "SetCondition.effect": "The id of the effect document.",
    "SetCondition.condition": "The status that it stands for.",
    "SetCondition.statuses": "All statuses that it carries, implied ones included.",
    "SetCondition.was": "The mark that must be there.",
    "SetCondition.mark": "The mark to write; none: delete the effect.",
    "SetCondition.disabled": "The effect is to be disabled.",
    "SetStatus.status": "Its id.",
    "SetStatus.on": "On or off.",
    "PostCard.card": "The card.",
    "UpdateCard.card": "The id of the card.",
    "UpdateCard.button": "The button that was used.",
    "UpdateCard.outcome": "What was done.",
    "UpdateCard.stamp": "The decision that used it.",
    "AskRoll.card": "The card that asks.",
    "AskRoll.ability": "The ability of the save.",
    "AskRoll.dc": "What must be reached.",
    "AskRoll.reason": "Comes back with the roll.",
    "AskRoll.tags": "What the save is against and the like, for roll modifiers.",
    "RollDice.card": "The card that shows the dice.",
    "RollDice.formula": "A Foundry dice formula.",
    "RollDice.reason": "Comes back with the total.",
    "Notify.line": "The sentence.",
    "Notify.user": "The user; all GMs when left out.",
    "Apply.id": "The decision; it becomes the receipt.",
    "Apply.operations": "What is to be done, in this order.",
    "Apply.memory": "Written on the actor last of all.",
    "Status.state": "`ok`, `stopping` or `degraded`.",
    "Status.message": "One plain sentence.",
    "HitPoints.value": "The current ones.",
    "HitPoints.max": "The maximum, without `tempmax`.",
    "HitPoints.temp": "Temporary hit points.",
    "HitPoints.tempmax": "The temporary change of the maximum.",
    "HitDice.left": "How many are left.",
    "HitDice.all": "How many there are.",
    "HitDice.size": "How many sides they have.",
    "Timer.kind": "One of the kinds above.",
    "Timer.amount": "How many seconds or rounds.",
    "Timer.creature": "Whose turn is meant.",
    "Timer.ability": "The ability of the save.",
    "Timer.dc": "What the save must reach.",
    "Timer.moment": "`turn-start` or `turn-end`.",
    "Timer.combat": "The combat in which it began.",
    "Timer.round": "The round in which it began.",
    "Timer.turn": "The turn in which it began.",
    "Timer.initiative": "The initiative at which it began (TIM-2).",
    "Timer.combatant": "The combatant at whose turn it began.",
    "Mark.level": "The level of the condition.",
    "Effect.statuses": "The statuses that it carries.",
    "Effect.mark": "What the bridge stamped on it; none on a plain condition put on by hand.",
    "Place.scene": "The id of the scene.",
    "Place.x": "Its left edge, in feet.",
    "Place.y": "Its upper edge, in feet.",
    "Place.size": "The length of its side, in feet.",
    "Place.elevation": "In feet.",
    "Place.unseen_by": "Creatures that cannot see it.",
    "Actor.type": "dnd5e's type of the actor.",
    "Actor.hp": "Its hit points; none for what has none.",
    "Actor.hit_dice": "Class → its Hit Dice.",
    "Actor.resistances": "Damage types.",
    "Actor.immunities": "Damage types.",
    "Actor.condition_immunities": "Statuses.",
    "Actor.effects": "Its effects that carry statuses.",
    "Actor.concentrating": "It concentrates on something.",
    "Actor.habits": "What the GM set for it.",
    "Actor.memory": "What the bridge stamped on it.",
    "Actor.place": "Where its token stands; none without a token.",
    "Modifier.roll": "The kind of roll.",
    "Modifier.gives": "`advantage`, `disadvantage`, `fail`, `critical`, `number` or `difficulty`.",
    "Modifier.value": "How much, for `number` and `difficulty`.",
    "Modifier.on_me": "It is the roll of another creature against the bearer.",
    "Modifier.abilities": "Only with one of these abilities.",
    "Modifier.tags": "Only with one of these tags.",
    "Modifier.but_abilities": "Not with these abilities.",
    "Modifier.but_tags": "Not with these tags.",
    "Modifier.when": "Only then.",
    "Limits.action": "No action.",
    "Limits.bonus": "No bonus action.",
    "Limits.reaction": "No reaction.",
    "Limits.concentration": "Concentration ends and cannot begin.",
    "Limits.closer_to_source": "It may not willingly move closer to the condition's source.",
    "Limits.attack_source": "It may not attack the condition's source.",
    "Limits.crawl": "It can only crawl.",
    "Speed.zero": "Speed is 0.",
    "Speed.halved": "Speed is halved, rounded down.",
    "Speed.less": "Feet less.",
    "Level.summary": "What it does, in English.",
    "Level.modifiers": "What it does to rolls.",
    "Level.limits": "What it forbids.",
    "Level.speed": "What it does to Speed.",
    "Level.native_speed": "The same for Speed.",
    "Entry.icon": "A file in the module's `icons/`, without its ending; empty: the system's own.",
    "Entry.levels": "What it does at each level.",
    "Entry.implied": "Statuses that last as long as it does (CMB-2).",
    "Entry.left_behind": "Statuses that begin with it and outlast it (CMB-3).",
    "Entry.gate": "What it does to healing.",
    "Entry.meter": "What its clocks count by, for the meter on a sheet.",
    "Entry.mode": "`off`, `remind`, `ask` or `auto`.",
    "Catalogue.profile": "The profile that it is for.",
    "Catalogue.conditions": "All conditions of the rulebook.",
    "Catalogue.rolls": "Mode of roll modifiers: `off`, `suggest` or `enforce`.",
    "Catalogue.limits_players": "Mode of limits for players: `off`, `warn` or `refuse`.",
    "Catalogue.limits_gm": "The same for GMs.",
}
"""Meaning of a field that has no docstring of its own and whose class's docstring is too far away from a table."""
