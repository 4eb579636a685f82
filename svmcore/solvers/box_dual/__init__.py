"""Solvers of a dual with a box: any four vectors in, a solution out. Begin with `smo_plain`."""
