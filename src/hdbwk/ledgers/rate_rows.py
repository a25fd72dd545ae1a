"""The statements of the paper as rows, and for each family a control that must break its bound."""

from hdbwk.ledgers.rows import bandit, cost, dimension, estimation, fluid, knapsacks, resolving

RATES = (
    *estimation.ROWS,
    *bandit.ROWS,
    *knapsacks.ROWS,
    *resolving.ROWS,
    *fluid.ROWS,
    *dimension.ROWS,
    *cost.ROWS,
)
TIMES = cost.TIMES
