"""What holds for all tests: no property test fails because the machine is busy."""

from hypothesis import HealthCheck, settings

# Each run draws other examples, so that few at a time are enough.
settings.register_profile("any-machine", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")
