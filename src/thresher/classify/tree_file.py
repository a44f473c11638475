"""The classifier of a topic tree as a data file: a JSON header and three arrays per family."""

from typing import Any, Final, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from thresher.classify.acceptance import Rules, TopicWishes
from thresher.classify.family_model import Child, FamilyModel, Feature
from thresher.classify.pooled_sites import PooledSites
from thresher.classify.sibling_space import SpaceParameters
from thresher.classify.site_evidence import SiteEvidence
from thresher.errors import InputError
from thresher.learn.model_file import pack, unpack
from thresher.learn.quality import Quality
from thresher.work_faults import ModelUnusable

FORMAT: Final = 3
"""Format 1 had no null and no sites: its margins are measured from the border, and scaled to confidences. Format 2
pooled the distances of a site's pages.
"""

MAX_TERMS: Final = 500_000
"""Maximum number of stems in one feature space."""


class TreeModel(msgspec.Struct, frozen=True, eq=False):
    """Everything a topic classifier has learned; `families` are by the written path of their parent.

    `written` has the written forms of stems if different.
    """

    parameters: SpaceParameters
    rules: Rules
    wishes: dict[str, TopicWishes]
    families: dict[str, FamilyModel]
    written: dict[str, str] = {}


class _Family(msgspec.Struct, frozen=True):
    parent: str
    terms: list[str]
    children: list[Child]
    evidence: SiteEvidence = SiteEvidence()
    pooled: PooledSites | None = None

    @property
    def of_sites(self) -> SiteEvidence | PooledSites:
        """What is known about sites, in the format the model was read in."""
        return self.pooled or self.evidence


class _FirstChild(msgspec.Struct, frozen=True, kw_only=True):
    """A child in format 1."""

    name: str
    scale: float
    slope: float
    offset: float
    mean_confidence: float
    pages: int
    quality: Quality
    features: int
    telling: list[Feature]


class _FirstFamily(msgspec.Struct, frozen=True):
    parent: str
    terms: list[str]
    children: list[_FirstChild]

    def now(self) -> _Family:
        """Return the family in the current format."""
        children = [
            Child(
                name=child.name,
                centre=0.0,
                spread=child.scale,
                border=0.0,
                slope=child.slope * child.scale,
                offset=child.offset,
                mean_confidence=child.mean_confidence,
                pages=child.pages,
                quality=child.quality,
                features=child.features,
                telling=child.telling,
            )
            for child in self.children
        ]
        return _Family(self.parent, self.terms, children)


class _SecondFamily(msgspec.Struct, frozen=True):
    parent: str
    terms: list[str]
    children: list[Child]
    evidence: PooledSites

    def now(self) -> _Family:
        """Return the family in the current format."""
        worth = self.evidence.worth
        children = [
            msgspec.structs.replace(child, spread=child.spread * (1.0 + one))
            for child, one in zip(self.children, worth, strict=True)
        ]
        return _Family(self.parent, self.terms, children, pooled=self.evidence)


_Old = TypeVar("_Old", _FirstFamily, _SecondFamily)


class _Header(msgspec.Struct, frozen=True):
    kind: str
    format: int
    parameters: SpaceParameters
    rules: Rules
    wishes: dict[str, TopicWishes]
    families: list[_Family]
    written: dict[str, str] = {}


class _OldHeader(msgspec.Struct, Generic[_Old], frozen=True):
    kind: str
    parameters: SpaceParameters
    rules: Rules
    wishes: dict[str, TopicWishes]
    families: list[_Old]
    written: dict[str, str] = {}

    def now(self) -> _Header:
        """Return the header in the current format."""
        families = [family.now() for family in self.families]
        return _Header(self.kind, FORMAT, self.parameters, self.rules, self.wishes, families, self.written)


def pack_tree(model: TreeModel) -> bytes:
    """Return a model as bytes; the same model gives the same bytes."""
    families = [_family(parent, family) for parent, family in model.families.items()]
    header = _Header("hierarchical", FORMAT, model.parameters, model.rules, model.wishes, families, model.written)
    arrays: dict[str, NDArray[Any]] = {}
    for place, family in enumerate(model.families.values()):
        arrays |= {f"idf{place}": family.idf, f"weights{place}": family.weights, f"biases{place}": family.biases}
    return pack(msgspec.to_builtins(header), arrays)


def _family(parent: str, model: FamilyModel) -> _Family:
    known = model.site_evidence
    if isinstance(known, PooledSites):
        return _Family(parent, model.terms, model.children, pooled=known)
    return _Family(parent, model.terms, model.children, known)


def unpack_tree(packed: bytes) -> TreeModel:
    """Return the model that was packed; raise InputError if the bytes are not one."""
    data, arrays = unpack(packed)
    try:
        header = _header(data)
        if header.kind != "hierarchical" or header.format != FORMAT:
            raise ValueError(f"kind {header.kind!r}, format {header.format!r}")
        relative = header.parameters.weighting == "rtf"
        families = {
            family.parent: _model(family, arrays, place, relative) for place, family in enumerate(header.families)
        }
        if "" not in families:
            raise ValueError("it has no root")
    except (msgspec.ValidationError, KeyError, ValueError) as error:
        raise InputError(
            f"The model file does not contain a topic classifier: {error}.", "Train the model again.", ModelUnusable()
        ) from None
    return TreeModel(header.parameters, header.rules, header.wishes, families, header.written)


def _header(data: Any) -> _Header:
    """Return a header in the current format, whatever its format."""
    number = data.get("format") if isinstance(data, dict) else None
    if number == 1:
        return msgspec.convert(data, _OldHeader[_FirstFamily]).now()
    if number == 2:
        return msgspec.convert(data, _OldHeader[_SecondFamily]).now()
    return msgspec.convert(data, _Header)


def _model(family: _Family, arrays: dict[str, NDArray[Any]], place: int, relative: bool) -> FamilyModel:
    terms, children = len(family.terms), len(family.children)
    if not children or terms > MAX_TERMS:
        raise ValueError("a family has no children or too many stems")
    if any(
        not child.spread > 0
        or not np.isfinite([child.centre, child.spread, child.border, child.slope, child.offset]).all()
        for child in family.children
    ):
        raise ValueError("its numbers are out of bounds")
    if not family.of_sites.fits(children):
        raise ValueError("its site evidence does not fit")
    return FamilyModel(
        family.terms,
        _floats(arrays, f"idf{place}", (terms,)),
        _floats(arrays, f"weights{place}", (terms, children)),
        _floats(arrays, f"biases{place}", (children,)),
        family.children,
        relative,
        family.of_sites,
    )


def _floats(arrays: dict[str, NDArray[Any]], name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = arrays[name]
    if array.dtype != np.float64 or array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"the array '{name}' does not fit")
    return array
