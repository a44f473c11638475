"""Settings of the repository, the search, the portal and its peers."""

from typing import Literal

from pydantic import Field

from thresher.config.setting_types import Count, Network, Seconds, Section, WebAddress


class StoreSettings(Section):
    """The repository."""

    min_free_mb: int = Field(ge=0, description="Disk space to keep free, in megabytes.")
    shared: bool = Field(
        description="Give the group of the portal's directory access to the portal, starting with the next crawl."
    )


class ArchiveSettings(Section):
    """The archive of responses, byte for byte."""

    enabled: bool = Field(description="Store every response in WARC files.")
    max_file_mb: Count = Field(description="Size at which a new WARC file is started, in megabytes.")


class SearchSettings(Section):
    """Searching the portal."""

    index_seconds: float = Field(
        ge=0,
        description="Seconds between two updates of the search index during a crawl; 0 leaves it to the next search.",
    )


class PortalSettings(Section):
    """The web portal."""

    title: str = Field(max_length=200, description="Title of the portal; empty for the name of its directory.")
    about: str = Field(max_length=1000, description="What the portal is about, in a sentence or two.")
    keeper: str = Field(max_length=200, description="Who runs the portal; shown at the bottom of every page.")
    language: Literal["en", "de"] = Field(
        description="Language for readers whose browser asks for none of the portal's languages."
    )
    private: bool = Field(description="Show nothing to visitors who have not signed in.")
    hosts: tuple[str, ...] = Field(
        description="Host names under which browsers may reach the portal, besides this machine's own."
    )
    proxies: tuple[Network, ...] = Field(
        description="IP addresses or networks of proxies in front of the portal. "
        "Only their X-Forwarded-Proto and X-Forwarded-For headers are trusted."
    )
    clicks: bool = Field(
        description="Record which results readers open and when they return. "
        "For signed-in readers, further results are ordered by what they opened."
    )


class PeersSettings(Section):
    """Other portals that this one exchanges models with; pages are never exchanged."""

    enabled: bool = Field(description="Answer the messages of peers, and exchange lists of neighbours with them.")
    name: str = Field(max_length=60, description="Name by which peers know this portal; empty for its title.")
    address: WebAddress = Field(
        max_length=500, description="URL at which peers reach this portal, as in `https://portal.example/`."
    )
    topics: tuple[str, ...] = Field(description="Topics whose models are shared; empty shares all.")
    min_pages: int = Field(
        ge=1,
        le=1000,
        description="Training pages that must contain a stem before it leaves the portal in a model; "
        "higher values give less away.",
    )
    page_ids: bool = Field(
        description="Send hashes of the training pages' URLs with a model, so that peers do not test it on them."
    )
    interval: Seconds = Field(description="Seconds between two exchanges of neighbour lists.")
    neighbours: int = Field(ge=1, le=64, description="Maximum number of neighbours remembered.")
    messages: Count = Field(description="Maximum number of messages per hour from one peer.")
