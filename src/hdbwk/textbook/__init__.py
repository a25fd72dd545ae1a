"""
The algorithms in plain numpy and cvxpy, line by line after the paper: slow, obvious, and what the fast code must equal.

- `online_ht`: Algorithm 1, the sparse estimate of one arm
- `primal_dual`: Algorithm 2, bandits with knapsacks
- `bandit`: Algorithm 3, bandits without knapsacks
- `resolving`: Algorithm 4, bandits with knapsacks by resolving
- `lincbwk`: the baseline linCBwK
- `dual`: the dual problem of Algorithm 4
- `parts`: what Algorithms 2 and 4 share
- `online_lasso`: the online LASSO, which is not the paper's

"line 7" beside a line of code is line 7 of the paper's box for that algorithm; the first line of a file ends with the
title of its section in the paper. Nothing else in this package imports from here; `dual` and `resolving` need cvxpy,
which the extra `textbook` installs.
"""
