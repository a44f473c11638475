"""The tree of topics: names, parents and paths; every inner topic has the same number of sub-topics."""

import difflib

from thresher.errors import InputError


class TopicTree:
    """Topics numbered level by level, so a parent always comes before its sub-topics.

    `names` are given in that order; `breadth` is the number of top-level topics and of sub-topics of each inner one.

    >>> tree = TopicTree(["sport", "music", "tennis", "golf", "opera", "jazz"], breadth=2)
    >>> tree.paths[3], tree.within(0), tree.top(5)
    ('sport/golf', [0, 2, 3], 1)
    """

    def __init__(self, names: list[str], breadth: int) -> None:
        self.names = names
        self.parents = [-1 if topic < breadth else topic // breadth - 1 for topic in range(len(names))]
        self.paths: list[str] = []
        for topic, parent in enumerate(self.parents):
            self.paths.append(names[topic] if parent < 0 else f"{self.paths[parent]}/{names[topic]}")
        self._numbers = {path: topic for topic, path in enumerate(self.paths)}

    def __len__(self) -> int:
        return len(self.names)

    def number(self, path: str) -> int:
        """Return the number of a topic by its path; raise InputError with the nearest path for an unknown one."""
        found = self._numbers.get(path)
        if found is None:
            near = difflib.get_close_matches(path, self.paths, n=1, cutoff=0.0)
            raise InputError(f"The generated web has no topic '{path}'.", f"Did you mean '{near[0]}'?")
        return found

    def top(self, topic: int) -> int:
        """Return the top-level topic above a topic; a top-level topic is its own."""
        while self.parents[topic] >= 0:
            topic = self.parents[topic]
        return topic

    def within(self, topic: int) -> list[int]:
        """Return a topic and everything below it."""
        inside = {topic}
        for other in range(topic + 1, len(self)):
            if self.parents[other] in inside:
                inside.add(other)
        return sorted(inside)

    def children(self, topic: int) -> list[int]:
        """Return the direct sub-topics of a topic, none for a leaf; those of -1 are the top-level topics."""
        return [other for other, parent in enumerate(self.parents) if parent == topic]

    def leaves(self) -> list[int]:
        """Return the topics without sub-topics."""
        inner = set(self.parents)
        return [topic for topic in range(len(self)) if topic not in inner]
