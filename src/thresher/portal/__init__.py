"""The web portal: what a browser sees of a portal's directory."""
