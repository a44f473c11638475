"""Makes a worker process end with its parent, even if the parent is killed."""

import os
import threading
from multiprocessing import parent_process


def end_with_parent() -> None:
    """Make this process end with its parent; called at the start of every pool process."""
    parent = parent_process()
    if parent is None:
        return

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
