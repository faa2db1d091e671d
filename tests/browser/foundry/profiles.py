"""The three pairs of Foundry and dnd5e that the stand-in can be."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from .merge import Json


@dataclass(frozen=True)
class Profile:
    """What a client must know to behave like one pair of core and system."""

    name: str
    generation: int
    build: int
    system: str

    @property
    def major(self) -> int:
        """The first number of the system's version."""
        return int(self.system.split(".")[0])

    def as_json(self) -> Json:
        """For the page."""
        return {**asdict(self), "major": self.major}


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("v13+dnd5e-5.3", 13, 351, "5.3.3"),
        Profile("v14+dnd5e-5.3", 14, 366, "5.3.3"),
        Profile("v14+dnd5e-6", 14, 366, "6.1.1"),
    )
}
