"""Judgements of pages whose topic a reviewer has decided."""

from msgspec.structs import replace

from thresher.types import Judgement


def with_topic(judged: Judgement | None, topic: str | None) -> Judgement:
    """Return a judgement with the topic a person chose, at probability 1; the rest of the judgement is kept.

    >>> with_topic(Judgement(topic="A", confidence=0.5, probability=0.7), "B/C").path
    ('B', 'C')
    """
    path = tuple(topic.split("/")) if topic else ()
    if judged is None:
        return Judgement(topic=topic, confidence=0.0, probability=1.0, path=path)
    return replace(judged, topic=topic, path=path, probability=1.0, rejection=None)
