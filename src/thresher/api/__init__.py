"""What `import thresher` offers: portals, their pages, and what a strategy of your own needs."""
