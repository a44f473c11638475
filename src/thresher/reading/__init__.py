"""Reading: from a page, fetched or stored, to its judgement, preview and links."""
