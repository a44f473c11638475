"""How well portals help each other, on labelled texts and over an overlay."""
