"""Algorithm 4: regret by resolving."""

from dataclasses import replace
from functools import partial

from hdbwk.ledgers import bounds
from hdbwk.ledgers.bounds import Law
from hdbwk.ledgers.rates_row import Rate, parts, rounds, swept, worth
from hdbwk.ledgers.rows.common import of, of_size, sampled

RESOLVING = partial(Rate, "resolving", departs="T_0 = 100; line search")
R = "rates_cbwk_long"

ROWS = (
    RESOLVING(
        "Theorem resolving-regret",
        995,
        "regret",
        "T",
        "cbwk",
        rounds("cbwk", "resolving_s10", "regret"),
        of_size(bounds.resolving),
        parts=parts("cbwk", "resolving_s10"),
        trivial=worth("cbwk", "resolving_s10"),
    ),
    RESOLVING(
        "Theorem resolving-regret",
        995,
        "regret, rule skip",
        "T",
        "cbwk",
        rounds("cbwk", "resolving_skip_s10", "regret"),
        of_size(bounds.resolving),
        parts=parts("cbwk", "resolving_skip_s10"),
        trivial=worth("cbwk", "resolving_skip_s10"),
    ),
    RESOLVING(
        "Theorem est-induction",
        3937,
        "largest error of the estimates",
        "t",
        "cbwk",
        rounds("cbwk", "resolving_skip_s10", "largest_error"),
        sampled(0.0),
    ),
    RESOLVING(
        "Theorem resolving-regret",
        995,
        "regret, rule skip",
        "m",
        "rates_cbwk_resources",
        swept("cbwk_resources", "resolving_skip_s10", "regret"),
        of("m", bounds.resolving),
    ),
    RESOLVING(
        "Remark, dependence on m",
        1012,
        "regret, W known, rule skip",
        "m",
        "rates_cbwk_resources",
        swept("cbwk_resources", "resolving_known", "regret"),
        lambda spec, m: bounds.resolving(replace(Law.of(spec), m=m), float(max(spec["horizons"]))) / m,
    ),
    RESOLVING(
        "Remark, inexact resolving",
        1037,
        "regret with exact duals, rule skip",
        "T",
        "rates_resolving_inexact",
        rounds("rates_resolving_inexact", "resolving_exact", "regret"),
        of_size(bounds.resolving),
        parts=parts("rates_resolving_inexact", "resolving_exact"),
        trivial=worth("rates_resolving_inexact", "resolving_exact"),
    ),
    RESOLVING(
        "Remark, inexact resolving",
        1037,
        "regret with a gap of 100 / t, rule skip",
        "T",
        "rates_resolving_inexact",
        rounds("rates_resolving_inexact", "resolving_coarse", "regret"),
        of_size(bounds.resolving),
        parts=parts("rates_resolving_inexact", "resolving_coarse"),
        trivial=worth("rates_resolving_inexact", "resolving_coarse"),
    ),
    RESOLVING(
        "control",
        0,
        "regret with a constant gap of 0.5, rule skip",
        "T",
        "rates_resolving_inexact",
        rounds("rates_resolving_inexact", "resolving_constant", "regret"),
        of_size(bounds.resolving),
        parts=parts("rates_resolving_inexact", "resolving_constant"),
        trivial=worth("rates_resolving_inexact", "resolving_constant"),
        control=True,
    ),
    RESOLVING(
        "control",
        0,
        "regret of Algorithm 2, constant eps",
        "T",
        R,
        rounds(R, "constant", "regret"),
        of_size(bounds.resolving),
        parts=parts(R, "constant"),
        trivial=worth(R, "constant"),
        control=True,
    ),
)
