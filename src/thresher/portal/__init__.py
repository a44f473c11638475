"""The web portal that shows the contents of a portal's directory."""
