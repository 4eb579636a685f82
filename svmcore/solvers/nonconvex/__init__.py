"""Solvers of losses that are not convex, and the global optimum in the plane."""
