"""What `import thresher` exports: portals, their pages, and what you need to write a strategy."""
