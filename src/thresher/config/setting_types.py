"""The base of all sections of the settings, and the types of their values."""

from ipaddress import ip_network
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from thresher.web.urls import canonical

Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
MimeType = Annotated[str, Field(pattern=r"^[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}$")]
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]


def _network(text: str) -> str:
    """Parse a network such as `10.0.0.0/8`; raise ValueError if it is invalid."""
    return str(ip_network(text, strict=False))


Network = Annotated[str, AfterValidator(_network)]


def _web_address(text: str) -> str:
    """Return a web address, or the empty string; raise ValueError for anything else."""
    if text and canonical(text) is None:
        raise ValueError("it should start with https:// or http://, as in https://portal.example/")
    return text


WebAddress = Annotated[str, AfterValidator(_web_address)]


class Section(BaseModel):
    """A table of the settings; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)
