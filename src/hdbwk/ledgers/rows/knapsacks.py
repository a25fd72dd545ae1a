"""Algorithm 2: regret with knapsacks, and its terms."""

from functools import partial

from hdbwk.ledgers import bounds
from hdbwk.ledgers.rates_row import Power, Rate, by_ratio, parts, rounds, total, worth
from hdbwk.ledgers.rows.common import of, of_size

KNAPSACKS = partial(Rate, "knapsacks", departs="T below the theorem's condition; line search; delta tuned")
R = "rates_cbwk_long"

ROWS = (
    KNAPSACKS(
        "Theorem BwK-regret-1",
        515,
        "regret, eps ~ t^(-1/3)",
        "T",
        R,
        rounds(R, "third", "regret"),
        of_size(bounds.cbwk_general),
        parts=parts(R, "third"),
        trivial=worth(R, "third"),
    ),
    KNAPSACKS(
        "Theorem Primaldual",
        497,
        "first term: wrong arms through prices, unused capacity",
        "T",
        R,
        total(rounds(R, "third", "prices"), rounds(R, "third", "consumption")),
        of_size(bounds.dual_term),
    ),
    KNAPSACKS(
        "Theorem Primaldual",
        497,
        "second term: wrong arms through estimates, eps ~ t^(-1/3)",
        "T",
        R,
        rounds(R, "third", "estimates"),
        Power(2 / 3),
    ),
    KNAPSACKS(
        "Theorem Primaldual",
        497,
        "third term: explorations, eps ~ t^(-1/3)",
        "T",
        R,
        rounds(R, "third", "exploration"),
        Power(2 / 3),
    ),
    KNAPSACKS(
        "Theorem BwK-regret-2",
        645,
        "regret, eps = 0",
        "T",
        R,
        rounds(R, "greedy", "regret"),
        of_size(bounds.cbwk_diverse),
        parts=parts(R, "greedy"),
        trivial=worth(R, "greedy"),
    ),
    KNAPSACKS(
        "Theorem sqrt-margin",
        672,
        "regret, eps ~ t^(-1/2), s = s0",
        "T",
        R,
        rounds(R, "half", "regret"),
        of_size(bounds.cbwk_margin),
        parts=parts(R, "half"),
        trivial=worth(R, "half"),
    ),
    KNAPSACKS(
        "Theorem sqrt-margin",
        672,
        "regret, eps ~ t^(-1/2), s = 4 s0",
        "T",
        R,
        rounds(R, "half_wide", "regret"),
        of_size(bounds.cbwk_margin),
        parts=parts(R, "half_wide"),
        trivial=worth(R, "half_wide"),
    ),
    KNAPSACKS(
        "Theorem BwK-regret-1",
        564,
        "regret at T = 1000, eps ~ t^(-1/3), capacities down to a sixteenth",
        "V_UB / C_min",
        "rates_cbwk_scarce",
        by_ratio("cbwk_scarce", "primal_dual_eps_s10", "regret"),
        of("ratio", bounds.cbwk_general),
    ),
    KNAPSACKS(
        "Theorem Primaldual",
        497,
        "first term at T = 1000, capacities down to a sixteenth",
        "V_UB / C_min",
        "rates_cbwk_scarce",
        total(
            by_ratio("cbwk_scarce", "primal_dual_eps_s10", "prices"),
            by_ratio("cbwk_scarce", "primal_dual_eps_s10", "consumption"),
        ),
        of("ratio", bounds.dual_term),
    ),
    KNAPSACKS(
        "control",
        0,
        "regret, constant eps",
        "T",
        R,
        rounds(R, "constant", "regret"),
        of_size(bounds.cbwk_general),
        parts=parts(R, "constant"),
        trivial=worth(R, "constant"),
        control=True,
    ),
)
