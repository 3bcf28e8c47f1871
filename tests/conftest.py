"""Settings that every test shares."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("suite", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", settings.get_profile("suite"), max_examples=2_000)
settings.register_profile("fuzz", settings.get_profile("suite"), max_examples=10_000)
settings.load_profile("suite")

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
