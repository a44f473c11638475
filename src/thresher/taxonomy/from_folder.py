"""Converts a folder of local files to topics: folders become topics, files training documents."""

from pathlib import Path as Directory
from typing import Final

from msgspec.structs import replace

from thresher.errors import InputError
from thresher.taxonomy.from_bookmarks import ImportedTopics
from thresher.taxonomy.topic_tree import OTHERS, Path, Taxonomy, Topic, TrainingPage, name_of, put

MAX_FILES: Final = 100_000
"""Maximum number of files to read."""

_PASSED_OVER: Final = frozenset(["thumbs.db", "desktop.ini"])


def from_folder(directory: Directory) -> ImportedTopics:
    """Convert a folder to topics; hidden files and symbolic links are skipped.

    A folder without subfolders is one topic; files next to subfolders belong to the topic of their folder, those at the
    top level to none.
    """
    if not directory.is_dir():
        raise InputError(f"{directory} is not a folder.", "Give a folder with a subfolder per topic.")
    pages: dict[Path, list[TrainingPage]] = {}
    notices: list[str] = []
    number = 0
    root = directory.resolve()
    for file in sorted(root.rglob("*")):
        inside = file.relative_to(root).parts
        if any(part.startswith(".") for part in inside) or file.name.lower() in _PASSED_OVER:
            continue
        if file.is_symlink() or not file.is_file():
            continue
        number += 1
        if number > MAX_FILES:
            notices.append(f"Only the first {MAX_FILES} files were used.")
            break
        names = tuple(name_of(part) for part in inside[:-1])
        pages.setdefault(names, []).append(TrainingPage(file.as_uri(), file.stem))
    if not pages:
        raise InputError(f"There are no files in {directory}.", "Put example documents into a subfolder per topic.")
    if set(pages) == {()}:
        pages = {(name_of(root.name),): pages[()]}
    elif () in pages:
        notices.append(f"{len(pages.pop(()))} files outside any subfolder belong to no topic and were left out.")
    return ImportedTopics(_tree(pages), notices)


def _tree(pages: dict[Path, list[TrainingPage]]) -> Taxonomy:
    taxonomy = Taxonomy()
    for path, found in pages.items():
        others = next((place for place, name in enumerate(path) if name.lower() == OTHERS), None)
        place = path if others is None else path[:others]
        topic = taxonomy.get(place) or Topic(name=place[-1])
        if others is None:
            topic = replace(topic, pages=(*topic.pages, *found))
        else:
            topic = replace(topic, others=(*topic.others, *found))
        taxonomy = put(taxonomy, place, topic)
    return taxonomy
