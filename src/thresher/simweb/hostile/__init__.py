"""Hostile hosts on loopback: attacks on a crawler, one behaviour per host name, and listeners that count violations."""
