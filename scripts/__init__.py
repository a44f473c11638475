"""What the project's own documents are made with."""
