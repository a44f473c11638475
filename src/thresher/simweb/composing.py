"""Composing English: fills the slots of sentences and titles with the words of a theme.

A page uses only a few words of its theme, its *focus*, and repeats the first of them, as authors do.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from thresher.simweb.inflection import with_articles
from thresher.simweb.lexicon import SLOTS, Forms, Manner, Template, Theme

Focus = Mapping[str, Sequence[Forms]]
"""Words by kind, most frequent first."""

_FOCUS: Final = {
    "key": 4, "thing": 8, "matter": 5, "act": 6, "quality": 6, "person": 3, "does": 5, "place": 4, "time": 4
}  # fmt: skip


def draw_focus(theme: Theme, rng: Random, first: Focus | None = None) -> Focus:
    """Return the words of one page: first those of its title, then some of its theme, always with its main key."""
    chosen: dict[str, list[Forms]] = {}
    for kind, number in _FOCUS.items():
        own = list(dict.fromkeys(first.get(kind, ()))) if first else []
        words = theme.words[kind]
        if kind == "key" and words[0] not in own:
            own.append(words[0])
        while len(own) < number:
            word = words[int(rng.random() * len(words))]
            if word not in own:
                own.append(word)
        chosen[kind] = own
    return chosen


class Composer:
    """Fills templates: word slots from a focus, the others with names, places, months, weekdays and numbers."""

    def __init__(self, manner: Manner, rng: Random, focus: Focus | None = None) -> None:
        self.manner = manner
        self.rng = rng
        self.focus: Focus = focus or {}
        self.used: dict[str, list[Forms]] = {}

    def compose(self, template: Template) -> str:
        """Return a filled template that starts with a capital letter; no word occurs twice in it."""
        parts = [template[0]]
        said: set[Forms] = set()
        for place in range(1, len(template), 2):
            parts += [self._word(template[place], said), template[place + 1]]
        text = with_articles("".join(parts)) if "(n)" in "".join(template[::2]) else "".join(parts)
        return text[:1].upper() + text[1:]

    def one_of(self, purpose: str) -> str:
        """Return a filled template of the language for a purpose."""
        return self.compose(self.choose(self.manner.templates[purpose]))

    def choose(self, choices: Sequence[Template]) -> Template:
        """Choose a template."""
        return choices[int(self.rng.random() * len(choices))]

    def _word(self, slot: str, said: set[Forms]) -> str:
        if slot not in SLOTS:
            return self._name(slot)
        kind, form = SLOTS[slot]
        words = self.focus[kind]
        # The product of two draws prefers the first words of the focus: some are repeated often, some said once.
        place = int(self.rng.random() * self.rng.random() * len(words))
        for step in range(len(words)):
            word = words[(place + step) % len(words)]
            if word not in said:
                break
        said.add(word)
        self.used.setdefault(kind, []).append(word)
        return word[form]

    def _name(self, slot: str) -> str:
        lists = self.manner.lists
        match slot:
            case "name":
                return self._pick(lists["first_names"])
            case "village" if "villages" in lists:
                return self._pick(lists["villages"])
            case "village" | "surname":
                return self._pick(lists["name_starts"]) + self._pick(lists["name_ends"])
            case _:
                return self._pick(lists[f"{slot}s"])

    def _pick(self, choices: Sequence[str]) -> str:
        return choices[int(self.rng.random() * len(choices))]
