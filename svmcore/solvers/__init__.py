"""Solvers: a function `solve` each, from one of three problems to a `solution.Solution`.

    solve(K, qp, *, tol, max_iter)              a BoxQP and its matrix: a Gram matrix K (N, N) for `smo` and
                                                `linear_system`, `rows.Rows` for `decomposition`, a factor L (N, r) with
                                                L L' = K for `interior_point` and `semismooth`
    solve(kernel, X, qp, *, tol, max_iter)      a BoxQP of the points X (N, d): `convex`, which chooses, `doubled`,
                                                `planar`
    solve(task, *, tol, max_iter)               a `solution.Task`, a loss on points: `router`, which chooses,
                                                `quasi_newton`, `cccp`, `half_quadratic`, `zero_one`, `isls`

Further arguments are the solver's own. `start`, where there is one, is a `warm.Start`. A solver that takes many small
steps also has `start`, which makes a State of plain arrays, and `advance`, which takes some steps: a run can be stopped
and resumed with bit for bit the same iterates. `run` goes on to the end of a run, and returns its last State.

The 1-norm machines of `reweighting` are linear, with points that may be sparse: `walk(X, y, C)`, `linear_program(X, y,
C)` and `optimum(X, y, C)` return a Solution, too.
"""
