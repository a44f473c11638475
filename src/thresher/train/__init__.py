"""Training: from the topics of a portal to its classifier."""
