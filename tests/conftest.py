"""What every test file shares: how many examples Hypothesis tries."""

import os

from hypothesis import HealthCheck, Phase, settings

from bridge.world import World

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
# Not the phase that explains: it traces every line, and what it says is seldom worth the wait.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]
settings.register_profile("everyday", max_examples=500, deadline=None, phases=PHASES, suppress_health_check=SLOW)
settings.register_profile("long", settings.get_profile("everyday"), max_examples=5000)
settings.load_profile("long" if os.environ.get("CONDITION_BRIDGE_LONG") == "1" else "everyday")

# A bug in a rule ends the test that met it; a bridge leaves out what met it.
World.quarantine = False
