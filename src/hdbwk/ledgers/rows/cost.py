"""Section 4, complexity: time and memory."""

from functools import partial

from hdbwk.ledgers.rates_row import Power, Rate, rounds, swept

COST = partial(Rate, "cost")

ROWS = (
    COST(
        "Section 4, complexity",
        371,
        "bytes that Online HT remembers",
        "d",
        "rates_cost_dim",
        swept("cost_dim", "online_ht_s20", "bytes"),
        Power(2.0),
    ),
    COST(
        "Section 4, complexity",
        371,
        "bytes that Online HT remembers",
        "t",
        "rates_cost_rounds",
        rounds("rates_cost_rounds", "online_ht_s20", "bytes"),
        Power(0.0),
    ),
    COST(
        "control",
        0,
        "bytes that LASSO remembers",
        "t",
        "rates_cost_rounds",
        rounds("rates_cost_rounds", "lasso_c1", "bytes"),
        Power(0.0),
        control=True,
    ),
)

TIMES = (
    COST(
        "Section 4, complexity",
        371,
        "seconds for a round",
        "d",
        "rates_cost_dim",
        swept("cost_dim", "online_ht_s20", "seconds_per_round"),
        Power(2.0),
    ),
    COST(
        "Section 4, complexity",
        371,
        "seconds for a round",
        "t",
        "rates_cost_rounds",
        rounds("rates_cost_rounds", "online_ht_s20", "seconds_per_round"),
        Power(0.0),
    ),
    COST(
        "Section 8.1, LASSO",
        1048,
        "seconds for a LASSO refit",
        "d",
        "rates_cost_dim_lasso",
        swept("cost_dim_lasso", "lasso_c1", "seconds_per_round"),
        Power(2.0),
        departs="no rate is stated: set against that of Online HT",
    ),
    COST(
        "control",
        0,
        "seconds for a LASSO refit",
        "t",
        "rates_cost_rounds",
        rounds("rates_cost_rounds", "lasso_c1", "seconds_per_round"),
        Power(0.0),
        control=True,
    ),
)
