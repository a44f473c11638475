"""How quick and how good is searching?"""
