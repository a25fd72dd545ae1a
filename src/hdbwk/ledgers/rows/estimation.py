"""Theorem sparse-est and what follows from it: the error of the estimates."""

from functools import partial

from hdbwk.ledgers import bounds
from hdbwk.ledgers.rates_row import Power, Rate, labelled, ratio, renamed, rounds, swept
from hdbwk.ledgers.rows.common import in_eigenvalues, of, one_over_p, sampled

SCARCE_CONSTANTS = "s = 2 s0 instead of 36 kappa^4 s0 > d; line search for the step"
ESTIMATION = partial(Rate, "estimation", departs=SCARCE_CONSTANTS)

ERROR, WORKING, HIGH, ORACLE = "mean_error", "working_error", "high_error", "oracle_error"
INVERSE_P = {1.0: "always", 2: "half", 4: "quarter", 8: "eighth", 16: "sixteenth"}
E = "rates_estimation"

ROWS = (
    ESTIMATION("Theorem sparse-est", 357, "error, p = 1", "t", E, rounds(E, "always", ERROR), sampled(0.0)),
    ESTIMATION("Theorem sparse-est", 357, "error, p_j = j^(-1/3)", "t", E, rounds(E, "third", ERROR), sampled(1 / 3)),
    ESTIMATION("Theorem sparse-est", 363, "95% quantile of the error", "t", E, rounds(E, "always", HIGH), sampled(0.0)),
    ESTIMATION("Theorem sparse-est", 371, "error of mu_t itself", "t", E, rounds(E, "always", WORKING), sampled(0.0)),
    ESTIMATION("Theorem sparse-est", 357, "error, constant p", "1/p", E, labelled(E, INVERSE_P, ERROR), one_over_p),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "error, independent covariates",
        "s0",
        "rates_estimation_sparsity",
        swept("estimation_sparsity", "always", ERROR),
        of("s0", bounds.sparse_est),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "error over the oracle's, alpha = 0.5",
        "s0",
        "rates_estimation_correlated",
        ratio(swept("estimation_correlated", "always", ERROR), swept("estimation_correlated", "always", ORACLE)),
        Power(0.0),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        371,
        "error of mu_t itself",
        "d",
        "rates_estimation_dim",
        swept("estimation_dim", "always", WORKING),
        of("d", bounds.sparse_est),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "error",
        "sigma",
        "rates_estimation_noise",
        swept("estimation_noise", "always", ERROR),
        of("sigma", bounds.sparse_est),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "error, alpha from 0 to 0.8",
        "1/phi_min",
        "rates_estimation_eigenvalues",
        renamed(swept("estimation_eigenvalues", "always", ERROR), lambda alpha: (1 + alpha) / (1 - alpha)),
        in_eigenvalues,
    ),
    ESTIMATION(
        "Corollary uniform-est",
        1903,
        "largest error of K arms",
        "K",
        "rates_estimation_arms",
        swept("estimation_arms", "each", "worst_arm"),
        of("K", bounds.sparse_est),
    ),
    ESTIMATION(
        "Proposition sparse-est-W",
        1916,
        "largest error of m rows",
        "m",
        "rates_estimation_rows",
        swept("estimation_rows", "eighth", "worst_row"),
        of("m", bounds.sparse_est),
    ),
    ESTIMATION(
        "Theorem sparse-est-divcov",
        1952,
        "error, greedy pulls",
        "t",
        "rates_estimation_adaptive",
        rounds("rates_estimation_adaptive", "greedy", ERROR),
        sampled(0.0),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "error, eps-greedy pulls with eps = t^(-1/3) / K, weights 1/p",
        "t",
        "rates_estimation_adaptive",
        rounds("rates_estimation_adaptive", "weighted", ERROR),
        sampled(1 / 3),
    ),
    ESTIMATION(
        "Theorem sparse-est",
        357,
        "the same, without weights",
        "t",
        "rates_estimation_adaptive",
        rounds("rates_estimation_adaptive", "unweighted", ERROR),
        sampled(1 / 3),
    ),
    ESTIMATION(
        "control",
        0,
        "error with s < s0",
        "t",
        E,
        rounds(E, "too_sparse", ERROR),
        sampled(0.0),
        control=True,
    ),
)
