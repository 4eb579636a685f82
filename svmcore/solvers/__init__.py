"""Solvers: each takes plain arrays, and can be stopped and resumed."""
