"""Every iterative solver with its words: how it is recorded, what its steps mean, and what to compare."""
