"""Which pages do the links of a portal speak for?"""
