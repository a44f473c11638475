"""Hostile hosts on loopback: what a server can do to a crawler, one behaviour per host name, and judges that count."""
