"""Registries of plug-ins: one per file in our own packages, plus entry points of other packages."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from typing import Generic, Protocol, TypeVar

from thresher.errors import PluginError
from thresher.parameters import did_you_mean


class Named(Protocol):
    """An entry of a registry."""

    @property
    def name(self) -> str:
        """The name that users type."""


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """All plug-ins of a type by their names.

    A module of `package` declares a plug-in as a module-level value of type `kind`, and nothing else needs to mention
    it. Other packages add theirs through entry points in `group`. `noun` is used in messages.
    """

    def __init__(self, kind: type[T], *, package: str, group: str, noun: str) -> None:
        self.group = group
        self._kind = kind
        self._package = package
        self._noun = noun
        self._searched: list[str] = []
        self._found: dict[str, T] = {}

    def all(self) -> Mapping[str, T]:
        """Return the plug-ins by name: our own in file order, then those of other packages.

        They are loaded once. Raises PluginError if two have the same name or an entry point cannot be loaded.
        """
        path = list(importlib.import_module(self._package).__path__)
        if path != self._searched:
            found: dict[str, T] = {}
            for one in (*self._ours(path), *self._of_others()):
                if found.setdefault(one.name, one) is not one:
                    raise PluginError(f"There are two {self._noun}s named '{one.name}'.", "Rename one of them.")
            self._searched, self._found = path, found
        return self._found

    def named(self, name: str) -> T:
        """Return a plug-in by its name; raise PluginError if there is none."""
        known = self.all()
        if name not in known:
            remedy = did_you_mean(name, known) or f"There are: {', '.join(known)}."
            raise PluginError(f"There is no {self._noun} '{name}'.", remedy)
        return known[name]

    def _ours(self, path: list[str]) -> Iterator[T]:
        for module in pkgutil.iter_modules(path):
            values = vars(importlib.import_module(f"{self._package}.{module.name}")).values()
            yield from (value for value in values if isinstance(value, self._kind))

    def _of_others(self) -> Iterator[T]:
        for point in sorted(entry_points(group=self.group), key=lambda point: point.name):
            try:
                value = point.load()
            except (ImportError, AttributeError) as error:
                raise PluginError(
                    f"The {self._noun} '{point.value}' cannot be imported: {error}.",
                    f"Fix or remove the package that declares it under '{self.group}'.",
                ) from error
            if not isinstance(value, self._kind):
                raise PluginError(
                    f"'{point.value}' is not a {self._noun}.", f"It must be a value of type {self._kind.__name__}."
                )
            yield value
