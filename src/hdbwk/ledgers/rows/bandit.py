"""Algorithm 3: regret without knapsacks."""

from functools import partial

from hdbwk.ledgers import bounds
from hdbwk.ledgers.rates_row import Rate, along_sizes, rounds
from hdbwk.ledgers.rows.common import along, most, of_size

BANDIT = partial(Rate, "bandit", departs="line search; eps_0 = 0.1")

ROWS = (
    BANDIT(
        "Theorem bandit-poor",
        720,
        "regret, eps ~ t^(-1/3), d > T^(1/3) s0^(4/3) up to T = 16,000",
        "T",
        "rates_bandit_poor",
        rounds("rates_bandit_poor", "third", "regret"),
        of_size(bounds.bandit_poor),
        trivial=most("rates_bandit_poor"),
    ),
    BANDIT(
        "Theorem bandit-rich",
        732,
        "regret, eps = 0",
        "T",
        "rates_bandit_poor",
        rounds("rates_bandit_poor", "greedy", "regret"),
        of_size(bounds.bandit_rich),
        trivial=most("rates_bandit_poor"),
    ),
    BANDIT(
        "Theorem bandit-poor",
        720,
        "regret along T = 200 s0, rewards of the same size",
        "s0",
        "rates_bandit_sparsity",
        along_sizes("bandit_sparsity", "theory", 200),
        along(bounds.bandit_poor, 200),
        departs="D = 1 in eps_0; alpha = 0",
    ),
    BANDIT(
        "Theorem bandit-rich",
        732,
        "regret along T = 200 s0, rewards of the same size",
        "s0",
        "rates_bandit_sparsity",
        along_sizes("bandit_sparsity", "greedy", 200),
        along(bounds.bandit_rich, 200),
        departs="alpha = 0",
    ),
    BANDIT(
        "control",
        0,
        "regret, uniform policy",
        "T",
        "bandit",
        rounds("bandit", "uniform", "regret"),
        of_size(bounds.bandit_poor),
        trivial=most("bandit"),
        control=True,
    ),
    BANDIT(
        "control",
        0,
        "regret, constant eps",
        "T",
        "rates_bandit_poor",
        rounds("rates_bandit_poor", "constant", "regret"),
        of_size(bounds.bandit_poor),
        trivial=most("rates_bandit_poor"),
        control=True,
    ),
)
