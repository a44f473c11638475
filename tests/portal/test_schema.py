"""The API under what its own description allows: nothing ends in an error of ours."""

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.portal.made import Made


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_no_request_that_the_description_allows_is_an_error_of_ours(tmp_path: Path) -> None:
    made = Made(tmp_path / "portal", settings='[portal]\nhosts = ["testserver"]\n')
    schema = schemathesis.openapi.from_asgi("/openapi.json", made.app)
    tried = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @given(case=operation.as_strategy())
        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        def ask(case: schemathesis.Case) -> None:
            assert case.call().status_code < 500

        ask()
        tried += 1
    made.close()
    assert tried > 25
