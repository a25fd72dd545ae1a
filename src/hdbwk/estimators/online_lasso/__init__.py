"""The online LASSO: one warm sweep of coordinate descent a round, on running sums."""
