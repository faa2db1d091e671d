"""What every test file shares: how many examples Hypothesis tries, and a log as it is before anyone sets it up."""

import os
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import HealthCheck, Phase, settings

from bridge import server, session
from bridge.store import opening
from bridge.world import World

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
# Not the phase that explains: it traces every line, and what it says is seldom worth the wait.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
settings.register_profile(
    "everyday", max_examples=500, deadline=None, phases=PHASES, suppress_health_check=SLOW, derandomize=True
)
# Every day the same examples, so that what fails is what was changed; the long run looks for new ones.
settings.register_profile("long", settings.get_profile("everyday"), max_examples=5000, derandomize=False)
settings.load_profile("long" if os.environ.get("CONDITION_BRIDGE_LONG") == "1" else "everyday")

# A bug in a rule ends the test that met it; a bridge leaves out what met it.
World.quarantine = False


@pytest.fixture(autouse=True)
def fresh_log() -> Iterator[None]:
    """Forget how a command that ran in this process set the log up: its loggers keep what they met first."""
    yield
    structlog.reset_defaults()
    for module in (server, session, opening):
        module.log.__dict__.pop("bind", None)
