"""What holds for all tests: no property test fails because the machine is busy."""

from hypothesis import settings

settings.register_profile("any-machine")
settings.load_profile("any-machine")
