import pytest

from thresher.simweb.parameters import WebParameters
from thresher.simweb.web import Web


@pytest.fixture(scope="session")
def mixed() -> Web:
    return Web(WebParameters(pages=2500, hosts=70, seed=5))


@pytest.fixture(scope="session")
def finite() -> Web:
    return Web(WebParameters(pages=1500, hosts=50, seed=6, profile="finite"))


@pytest.fixture(scope="session")
def clean() -> Web:
    return Web(WebParameters(pages=800, hosts=30, seed=7, profile="clean"))
