"""What Section 8 says, claim by claim, and the checks that each comes to."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import pandas as pd

from hdbwk.ledgers.checks import Check, at_least, at_most, fact
from hdbwk.ledgers.trials import Trials

LASSO = {"lasso_c2": "c = 2", "lasso_c1": "c = 1", "lasso_c05": "c = 0.5"}
ETC = {
    "lasso_total_03": "0.3, in total",
    "lasso_total_05": "0.5, in total",
    "lasso_per_arm_03": "0.3, per arm",
    "lasso_per_arm_05": "0.5, per arm",
}
PRIMAL_DUAL = {"primal_dual": "greedy Online HT", "primal_dual_eps": "eps-greedy Online HT"}
WORKING = (20, 40)
LEVELS = (10, 15, 20, 30, 50)
TRUE_LEVELS = (10, 20, 50)
PROPENSITIES = {"eps_greedy": "eps-greedy (printed p)", "eps_true": "eps-greedy (true p)"}
MILD, STRONG = (10, 15, 20), (30, 50)
TIME = "seconds_per_round"


@dataclass(frozen=True)
class Claim:
    """A statement of Section 8: where, what, the rule that judges it (with keys of `ledgers`), and its checks."""

    where: str
    says: str
    rule: str
    checks: Callable[[Trials], Iterator[Check]]


def fast_decay(trials: Trials) -> Iterator[Check]:
    end = trials.config["recovery"]["horizon"]
    for s in WORKING:
        early, late = (trials.at("recovery", f"online_ht_s{s}", "error", t) for t in (end / 10, end))
        yield at_least(f"s = {s}: error at T/10 over error at T", early, late, 10)


def support_recovery(trials: Trials) -> Iterator[Check]:
    for s in WORKING:
        share = trials.final("recovery", f"online_ht_s{s}", "support")
        yield at_least(
            f"s = {s}: share of the support found at T", share, 0 * share + 1, trials.config["ledgers"]["nearly"]
        )


def under_specified(trials: Trials) -> Iterator[Check]:
    for s in WORKING:
        large, small = (trials.final("recovery", f"online_ht_s{k}", "support") for k in (s, 5))
        yield at_least(f"support found: s = {s} over s = 5", large, small, trials.config["ledgers"]["substantial"])


def better_than_lasso(trials: Trials) -> Iterator[Check]:
    ratio = trials.config["ledgers"]["competitive"]
    for s, (lasso, label) in product(WORKING, LASSO.items()):
        ours, theirs = (trials.along("recovery", method, "error") for method in (f"online_ht_s{s}", lasso))
        ahead = f"(ahead from t = {_ahead_from(ours.mean() <= theirs.mean())})"
        yield at_most(f"s = {s} over LASSO {label} {ahead}", ours.iloc[:, -1], theirs.iloc[:, -1], ratio)


def _ahead_from(ahead: pd.Series) -> str:
    """The first round from which on it is ahead in every round that was read."""
    since = ahead[::-1].cummin()
    return str(since[since].index.min()) if since.any() else "never"


def exact_sparsity(trials: Trials) -> Iterator[Check]:
    s0 = trials.config["recovery"]["sparsity"]
    for s in WORKING:
        most = trials.along("recovery", f"online_ht_s{s}", "nonzeros").to_numpy().max()
        yield fact(f"s = {s}: most non-zero entries in any round", most, most <= s0)


def greedy_smallest(trials: Trials) -> Iterator[Check]:
    for s in LEVELS:
        greedy = trials.final("bandit", f"greedy_s{s}")
        yield at_least(f"eps-greedy over greedy, s0' = {s}", trials.final("bandit", f"eps_greedy_s{s}"), greedy, 1)
    for s in TRUE_LEVELS:
        greedy, true = (trials.final("bandit", f"{family}_s{s}") for family in ("greedy", "eps_true"))
        yield at_least(f"eps-greedy (true p) over greedy, s0' = {s}", true, greedy, 1)
    for method, label in ETC.items():
        worst = f"greedy_s{LEVELS[-1]}"
        yield at_least(f"LASSO ({label}) over greedy", trials.final("bandit", method), trials.final("bandit", worst), 1)


def lasso_behind(trials: Trials) -> Iterator[Check]:
    for (ours, name), (method, label) in product(PROPENSITIES.items(), ETC.items()):
        regrets = (trials.final("bandit", method), trials.final("bandit", f"{ours}_s10"))
        yield at_least(f"LASSO ({label}) over {name}", *regrets, trials.config["ledgers"]["substantial"])


def bandit_stable(trials: Trials) -> Iterator[Check]:
    levels = {"greedy": MILD[1:], "eps_greedy": MILD[1:], "eps_true": (20,)}
    for family, s in ((family, s) for family, all_s in levels.items() for s in all_s):
        wide, exact = (trials.final("bandit", f"{family}_s{k}") for k in (s, 10))
        label = f"{family.replace('_', '-')}: s0' = {s} over s0' = 10"
        yield at_most(label, wide, exact, trials.config["ledgers"]["substantial"])


def mild_best(trials: Trials) -> Iterator[Check]:
    for family in ("greedy", "eps_greedy"):
        regret = pd.DataFrame({s: trials.final("bandit", f"{family}_s{s}") for s in LEVELS})
        mild, strong = (regret[list(levels)].mean(axis=1) for levels in (MILD, STRONG))
        yield at_least(f"{family.replace('_', '-')}: s0' of 30, 50 over 10, 15, 20", strong, mild, 1)


def lincbwk_large(trials: Trials, where: str = "cbwk", s: tuple[int, int] = (40, 20)) -> Iterator[Check]:
    ratio = trials.config["ledgers"]["substantial"]
    ours = {f"{method}_s{s[0]}": f"{label}, s0' = {s[0]}" for method, label in PRIMAL_DUAL.items()}
    for method, label in {**ours, f"resolving_s{s[1]}": f"resolving, s0' = {s[1]}"}.items():
        yield at_least(f"linCBwK over {label}", trials.final(where, "lincbwk"), trials.final(where, method), ratio)


def online_ht_reduces(trials: Trials, where: str = "cbwk", levels: tuple[int, ...] = (10, 20, 40)) -> Iterator[Check]:
    ratio = trials.config["ledgers"]["substantial"]
    baselines = {"lincbwk": "linCBwK", "lincbwk_tuned": "tuned linCBwK"}
    for (baseline, label), (ours, name), s in product(baselines.items(), PRIMAL_DUAL.items(), levels):
        theirs, reached = (trials.final(where, method) for method in (baseline, f"{ours}_s{s}"))
        yield at_least(f"{label} over {name}, s0' = {s}", theirs, reached, ratio)


def resolving_slower(trials: Trials, where: str = "cbwk", levels: tuple[int, ...] = (10, 20)) -> Iterator[Check]:
    ratio = trials.config["ledgers"]["substantial"]
    rules = {"resolving": "exit", "resolving_skip": "skip"}
    for (ours, name), (rule, label), s in product(PRIMAL_DUAL.items(), rules.items(), levels):
        first, second = (
            trials.longest(where, method) - trials.final(where, method) for method in (f"{ours}_s{s}", f"{rule}_s{s}")
        )
        yield at_least(f"added regret beyond T, {name} over resolving ({label}), s0' = {s}", first, second, ratio)


def resolving_stable(trials: Trials) -> Iterator[Check]:
    for read, label in ((trials.final, "at T"), (trials.longest, "at the longest horizon")):
        wide, exact = (read("cbwk", f"resolving_s{s}") for s in (20, 10))
        yield at_most(f"s0' = 20 over s0' = 10 {label}", wide, exact, trials.config["ledgers"]["substantial"])


def flat_cost(trials: Trials) -> Iterator[Check]:
    rounds = trials.over_horizons("rates_cost_rounds", "online_ht_s20", TIME)
    label = f"Online HT: a round at t = {rounds.columns[-1]} over one at t = {rounds.columns[0]}"
    yield at_most(label, rounds.iloc[:, -1], rounds.iloc[:, 0], trials.config["ledgers"]["substantial"])


def lasso_cost(trials: Trials) -> Iterator[Check]:
    rounds = trials.over_horizons("rates_cost_rounds", "lasso_c1", TIME)
    label = f"LASSO refit: a round at t = {rounds.columns[-1]} over one at t = {rounds.columns[0]}"
    yield at_least(label, rounds.iloc[:, -1], rounds.iloc[:, 0], trials.config["ledgers"]["substantial"])


def averaging(trials: Trials) -> Iterator[Check]:
    one, all_rows = (trials.longest("rates_estimation", method, "mean_error") for method in ("one_row", "always"))
    yield at_least(
        "error: one gradient a round over averaged ones", one, all_rows, trials.config["ledgers"]["substantial"]
    )


def unknown_sparsity(trials: Trials) -> Iterator[Check]:
    known = trials.longest("rates_selection", "known", "error")
    for rule in ("validation", "stability"):
        error = trials.longest("rates_selection", rule, "error")
        yield at_most(f"error: s0 by {rule} over s0 known", error, known, trials.config["ledgers"]["substantial"])


def free_inexactness(trials: Trials) -> Iterator[Check]:
    exact, coarse = (trials.longest("rates_resolving_inexact", f"resolving_{tol}") for tol in ("exact", "coarse"))
    yield at_most("regret: a gap of 100/t over exact duals", coarse, exact, trials.config["ledgers"]["competitive"])


def mild_exploration(trials: Trials) -> Iterator[Check]:
    third, half = (trials.longest("rates_cbwk_long", method) for method in ("third", "half"))
    yield at_most("regret: eps ~ t^(-1/3) over t^(-1/2)", third, half, trials.config["ledgers"]["substantial"])


def within_minutes(trials: Trials) -> Iterator[Check]:
    for name in ("recovery", "bandit", "cbwk"):
        minutes = trials.tables[name]["seconds"].iloc[0] / 60
        yield fact(f"{name}: minutes on one core", minutes, minutes <= trials.config["ledgers"]["minutes"])


CLAIMS = (
    Claim(
        "8.1", "s = 20 and s = 40 achieve fast decrease in estimation error", "error(T/10) / error(T) >= 10", fast_decay
    ),
    Claim(
        "8.1",
        "nearly exact support recovery for s = 20 and s = 40",
        "share of the support >= {nearly}",
        support_recovery,
    ),
    Claim("8.1", "s = 5 leads to inferior support recovery", "ratio >= {substantial}", under_specified),
    Claim("8.1", "competitive or better estimation error than LASSO", "ratio <= {competitive} at T", better_than_lasso),
    Claim("8.1", "exact sparsity through hard thresholding", "never more than s0 entries", exact_sparsity),
    Claim("8.2", "greedy Online HT achieves the smallest regret", "ratio >= 1", greedy_smallest),
    Claim("8.2", "eps-greedy substantially improves over the LASSO baselines", "ratio >= {substantial}", lasso_behind),
    Claim("8.2", "stable under moderate overspecification of the sparsity", "ratio <= {substantial}", bandit_stable),
    Claim("8.2", "correct or mildly overspecified choices tend to perform best", "ratio >= 1", mild_best),
    Claim("8.3", "linCBwK suffers from large regret", "ratio >= {substantial}", lincbwk_large),
    Claim(
        "8.3",
        "Online HT substantially reduces regret",
        "ratio >= {substantial}, also when linCBwK is tuned",
        online_ht_reduces,
    ),
    Claim("8.3", "resolving has much slower regret growth", "ratio >= {substantial}", resolving_slower),
    Claim(
        "8.3", "resolving remains stable under moderate overspecification", "ratio <= {substantial}", resolving_stable
    ),
    Claim(
        "8.3",
        "where b >= 0: linCBwK suffers from large regret",
        "ratio >= {substantial}",
        partial(lincbwk_large, where="nonnegative", s=(10, 10)),
    ),
    Claim(
        "8.3",
        "where b >= 0: Online HT substantially reduces regret",
        "ratio >= {substantial}, also when linCBwK is tuned",
        partial(online_ht_reduces, where="nonnegative", levels=(10,)),
    ),
    Claim(
        "8.3",
        "where b >= 0: resolving has much slower regret growth",
        "ratio >= {substantial}",
        partial(resolving_slower, where="nonnegative", levels=(10,)),
    ),
    Claim("4", "s0 can be tuned by validation or stability", "ratio <= {substantial}", unknown_sparsity),
    Claim("7", "an error of O(1/t) in the dual is free", "ratio <= {competitive}", free_inexactness),
    Claim("4", "averaging the gradient reduces its variance", "ratio >= {substantial}", averaging),
    Claim("9", "the exploration schedule may be moderately wrong", "ratio <= {substantial}", mild_exploration),
)

TIMED = (
    Claim("8.1", "an update costs the same at every t", "ratio <= {substantial}", flat_cost),
    Claim("8.1", "the cost of a LASSO solution grows with t", "ratio >= {substantial}", lasso_cost),
    Claim("8.3", "all experiments finish within minutes", "<= {minutes} minutes on one core", within_minutes),
)
