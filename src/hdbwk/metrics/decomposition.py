"""The regret of a knapsack bandit, round by round, as the terms that its proofs bound one by one.

With the Lagrangian ell_t(a) = <mu_a - W_a' lam*, x_t> at the optimal prices lam* (0 for the null arm), its best arm
a*_t, and the dual D_t = ell_t(a*_t) + rho . lam*, whose mean is V_UB / T, a round that serves y_t has the regret

    V_UB / T - <mu_y, x_t> = [V_UB / T - D_t] + [ell_t(a*_t) - ell_t(y_t)] + <lam*, rho - W_y x_t>,

eq. (reg-decomp-static) in the proof of Theorem sqrt-margin (paper.tex, lines 3557 to 3568: A_1, A_2, explorations and
exit) and Lemma regret-decomp-log for Algorithm 4 (lines 4590 to 4602: E_1, E_2 and exit). The gap
ell_t(a*_t) - ell_t(y_t) is split once more by what led to it. Let a_t be the best arm of the true parameters at the
prices lam_t of the round, and c_t the arm that the policy asked for:

    benchmark    V_UB / T - D_t: the luck of the contexts, of mean zero for any policy
    prices       ell_t(a*_t) - ell_t(a_t), at least 0: the arm that lam_t calls for is not that of lam*
                 (line 3578; |lam_t - lam*| in line 4613)
    estimates    ell_t(a_t) - ell_t(c_t): the policy sees another best arm, for want of mu and W (delta_est in
                 lines 3591 to 3598); negative where that error undoes one of the prices
    consumption  <lam*, rho - W_y x_t>: capacity that is left unused, at its price (A_2, line 3564; E_2, line 4598)
    exploration  the last three together in a round with nu_t = 1 (line 3561)
    exit         ell_t(c_t) of a query that was refused; V_UB / T of each round after the exit (line 3561)
"""

import numpy as np
import pandas as pd

from hdbwk.core.validation import Floats
from hdbwk.environments.cbwk import CBwKStream
from hdbwk.simulation.loop import Record

TERMS = ("benchmark", "prices", "estimates", "consumption", "exploration", "exit")


def regret_terms(record: Record, stream: CBwKStream, optimal_prices: Floats) -> pd.DataFrame:
    """
    The terms of the regret in each round: their sum is the regret, whatever `optimal_prices` is.

    Parameters
    ----------
    record : Record
        What a policy did on the stream.
    stream : CBwKStream
        The rounds, with V_UB / T in `value`.
    optimal_prices : array of shape (m,)
        lam*, from `hdbwk.dual.fluid.fluid_value`.

    Returns
    -------
    DataFrame
        Columns `TERMS`, one row for each round.
    """
    if stream.value is None:
        raise ValueError("stream.value = None: the regret and its terms need V_UB / T")
    value, rounds = stream.value, np.arange(len(stream))
    gains = _with_null(stream.means - stream.consumption_means @ optimal_prices)  # ell_t
    costs = _with_null(stream.consumption_means @ optimal_prices)
    best = gains.argmax(axis=1)
    at_own_prices = _best_at(stream, record.prices, best)
    asked, served = gains[rounds, record.chosen], gains[rounds, record.arm]  # the null arm, -1, is the last column

    played = rounds < record.stopping_time
    greedy = played & ~record.explored
    capacity = float(stream.rho @ optimal_prices)
    consumption = capacity - costs[rounds, record.arm]
    terms = {
        "benchmark": played * (value - gains[rounds, best] - capacity),
        "prices": greedy * (gains[rounds, best] - gains[rounds, at_own_prices]),
        "estimates": greedy * (gains[rounds, at_own_prices] - asked),
        "consumption": greedy * consumption,
        "exploration": (played & record.explored) * (gains[rounds, best] - asked + consumption),
        "exit": np.where(played, asked - served, value),
    }
    return pd.DataFrame(terms, index=pd.RangeIndex(1, len(stream) + 1, name="t"))


def _with_null(table: Floats) -> Floats:
    """Add the null arm, which gives and consumes nothing, as the last column: index -1."""
    return np.hstack([table, np.zeros((len(table), 1))])


def _best_at(stream: CBwKStream, prices: Floats, best: np.ndarray) -> np.ndarray:
    """The best arm of the true parameters at the prices of each round; a policy without prices errs in no price."""
    costs = np.einsum("tkm,tm->tk", stream.consumption_means, np.nan_to_num(prices))
    arms = _with_null(stream.means - costs).argmax(axis=1)
    return np.where(np.isnan(prices).any(axis=1), best, arms)
