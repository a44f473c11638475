"""How well `ask` finds known items."""
