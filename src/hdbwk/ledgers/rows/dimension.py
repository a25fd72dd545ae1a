"""Growth of the regret in d, and what is said of linCBwK."""

from functools import partial

from hdbwk.ledgers import bounds
from hdbwk.ledgers.bounds import Law
from hdbwk.ledgers.rates_row import Power, Rate, rounds, swept

DIMENSION = partial(Rate, "dimension", departs="line search; delta tuned")

ROWS = (
    DIMENSION(
        "Theorem BwK-regret-2",
        645,
        "regret of Algorithm 2",
        "d",
        "rates_cbwk_dim_long",
        swept("cbwk_dim_long", "primal_dual_s10", "regret"),
        lambda spec, d: bounds.log_dimension(Law.of(spec), d) ** 0.5,
    ),
    DIMENSION(
        "Theorem resolving-regret",
        995,
        "regret of Algorithm 4, rule skip",
        "d",
        "rates_cbwk_dim",
        swept("cbwk_dim", "resolving_skip_s10", "regret"),
        lambda spec, d: bounds.log_dimension(Law.of(spec), d),
    ),
    DIMENSION(
        "Section 8.3, linCBwK",
        1160,
        "regret of linCBwK, tuned",
        "d",
        "rates_cbwk_dim_long",
        swept("cbwk_dim_long", "lincbwk_tuned", "regret"),
        Power(1.0),
        departs="a claim on another paper's method",
    ),
    DIMENSION(
        "Section 8.3, linCBwK",
        1160,
        "regret of linCBwK, tuned",
        "T",
        "cbwk",
        rounds("cbwk", "lincbwk_tuned", "regret"),
        Power(0.5),
        departs="a claim on another paper's method",
    ),
    # Tuned: with the radius of its paper the regret has no room left to grow; nor has the tuned one for d near T.
    DIMENSION(
        "control",
        0,
        "regret of linCBwK, tuned",
        "d",
        "rates_cbwk_dim_long",
        swept("cbwk_dim_long", "lincbwk_tuned", "regret"),
        lambda spec, d: bounds.log_dimension(Law.of(spec), d),
        control=True,
    ),
)
