import msgspec
import pytest

from thresher.errors import InputError
from thresher.simweb.parameters import WebParameters


@pytest.mark.parametrize(
    "wrong",
    [
        {"pages": 3},
        {"pages": 50, "hosts": 40},
        {"hosts": 1},
        {"seed": -1},
        {"depth": 0},
        {"breadth": 1},
        {"depth": 4, "breadth": 20},
        {"locality": 1.5},
        {"locality": float("nan")},
        {"profile": "muddy"},
        {"languages": ()},
        {"languages": ("en", "en")},
        {"languages": ("tlh",)},
    ],
)
def test_bad_parameters_are_refused_with_a_remedy(wrong):
    with pytest.raises(InputError) as caught:
        WebParameters(**wrong)
    assert caught.value.remedy


def test_parameters_survive_json():
    parameters = WebParameters(pages=300, hosts=9, seed=4, profile="finite", languages=("fr",))
    assert msgspec.json.decode(msgspec.json.encode(parameters), type=WebParameters) == parameters


def test_unknown_parameters_are_refused():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"pages": 100, "page": 3}', type=WebParameters)


def test_the_size_of_the_tree():
    assert WebParameters(depth=1, breadth=5).topics == 5
    assert WebParameters(depth=3, breadth=2).topics == 14
