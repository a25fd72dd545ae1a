"""
Random sequences of public calls, right and wrong arguments mixed: ``python -m fuzz_calls FIRST LAST``.

Run in a process of its own (`test_fuzz`): what must not happen is that the interpreter dies.
"""

import pickle
import sys
import tempfile
from collections import Counter
from functools import cache

import numpy as np
from sklearn.base import clone

from hdbwk import InstanceInfo, OnlineHT, make_policy, rng, simulate
from hdbwk.dual import ResolvingDual, solve_dual
from hdbwk.environments import BanditInstance, CBwKInstance

CALLS = 8
DIMS = (1, 3, 8, 40)
ODD_NUMBERS = (np.nan, np.inf, -np.inf, 1e300, -1.0, 0.0, 1e-300)


class Fuzzer:
    """One sequence of calls; everything random comes from its seed."""

    def __init__(self, seed):
        self.random = rng(seed, "fuzz")
        self.seen = Counter()

    def run(self):
        """Play one of the three parts of the package, and count what came of the calls."""
        part = self.pick([self.estimator, self.policy, self.dual])
        part()
        return self.seen

    def pick(self, options):
        return options[self.random.integers(len(options))]

    def chance(self, share):
        return self.random.random() < share

    def attempt(self, name, call, *args, **kwargs):
        """An answer, or None after a Python exception; anything else ends the process."""
        try:
            answer = call(*args, **kwargs)
        except Exception as error:
            self.seen[f"{name}: {type(error).__name__}"] += 1
            return None
        self.seen[f"{name}: answered"] += 1
        return answer

    def array(self, *shape):
        """Numbers of a shape; now and then of another shape, type or layout, or with an odd number among them."""
        values = self.random.standard_normal(shape) * 10.0 ** self.pick([0, 0, 0, 0, 8, -8])
        if values.size and self.chance(0.1):
            values.flat[self.random.integers(values.size)] = self.pick(ODD_NUMBERS)
        changes = [
            lambda: np.concatenate([values, values]),
            lambda: values[:0],
            lambda: values[..., :-1],
            lambda: np.stack([values, values]),
            lambda: np.asfortranarray(values),
            lambda: values.astype(np.float32),
            lambda: values.astype(str),
            values.tolist,
            lambda: np.broadcast_to(values[:1], values.shape),
            lambda: values[::-1],
            lambda: None,
            lambda: "no array",
        ]
        return self.pick(changes)() if self.chance(0.15) else values

    def integer(self, *right):
        """One of the right numbers; now and then something else."""
        return self.pick([-1, 0, 10**6, 2.5, True, None, "1", np.int32(2)]) if self.chance(0.1) else self.pick(right)

    def estimator(self):
        dim, rows, outputs = self.pick(DIMS), self.pick([1, 5, 50]), self.pick([(), (1,), (3,)])
        model = OnlineHT(self.integer(1, 2, 5), engine=self.pick(["auto", "gram", "active"]))
        for _ in range(CALLS):
            model = self.ask_estimator(model, self.pick([dim, dim, dim, *DIMS]), rows, outputs)

    def ask_estimator(self, model, dim, rows, outputs):
        """One call; returns the model, or its copy."""
        X, y = self.array(rows, dim), self.array(rows, *outputs)
        weights = self.pick([None, np.abs(self.random.standard_normal(rows)), self.array(rows), np.zeros(rows)])
        params = [
            {"sparsity": self.integer(1, 3)},
            {"working_sparsity": self.integer(1, 9, None)},
            {"step": self.pick(["normalized", "theory", "fast", 0.1, 1e3, -1.0, np.nan])},
            {"engine": self.pick(["auto", "gram", "active", "none"])},
        ]
        calls = {
            "fit": lambda: model.fit(X, y),
            "partial_fit": lambda: model.partial_fit(X, y, weights),
            "set_params": lambda: model.set_params(**self.pick(params)),
            "predict": lambda: model.predict(X),
            "coef_": lambda: model.coef_,
            "clone": lambda: clone(model),
            "pickle": lambda: pickle.loads(pickle.dumps(model)),
        }
        name = self.pick(["partial_fit", "partial_fit", *calls])
        answer = self.attempt(name, calls[name])
        assert name != "coef_" or answer is None or np.isfinite(answer).all()
        return answer if name in ("clone", "pickle") else model

    def policy(self):
        dim, arms, horizon = self.pick(DIMS[1:]), self.pick([1, 2, 4]), self.pick([1, 20])
        stream, rho = _stream(self.integer(dim), arms, horizon, knapsacks=self.chance(0.6))
        told = {"dim": self.integer(dim), "n_arms": self.integer(arms), "horizon": horizon}
        if self.chance(0.2):
            told["dim"] = self.pick(DIMS)
            rho = self.pick([rho, np.zeros(0), np.full(2, np.nan), [0.5], np.full((2, 2), 0.5)])
        info = self.attempt("info", InstanceInfo, **told, rng=self.random, rho=rho, value=1.0)
        name, params = self.pick(
            [
                ("online_ht_bandit", {"estimator": {"sparsity": self.integer(1, 2)}}),
                ("primal_dual", {"estimator": {"sparsity": self.integer(1, 2)}, "explore": self.integer(1, 5)}),
                ("resolving", {"estimator": {"sparsity": self.integer(1, 2)}, "explore": self.integer(1, 5)}),
                ("lincbwk", {"explore": self.integer(0, 5)}),
                ("lasso_etc", {}),
                ("uniform", {}),
                ("none", {}),
            ]
        )
        policy = self.attempt("make_policy", make_policy, name, info, **params) if info else None
        if policy is None:
            return
        if self.chance(0.5):
            self.attempt("simulate", simulate, policy, stream, self.pick(["exit", "skip", "skip", "none"]))
        for _ in range(CALLS):
            x = self.array(self.pick([dim, info.dim]))
            self.attempt("act", policy.act, x)
            arm, reward = self.integer(*range(-1, arms + 1)), self.pick([0.5, 1.0, *ODD_NUMBERS])
            self.attempt("update", policy.update, x, arm, reward, self.pick([self.array(len(rho)), None]))

    def dual(self):
        dim, arms, resources = self.pick(DIMS[:3]), self.pick([1, 3]), self.pick([1, 2])
        dual = self.attempt("dual", ResolvingDual, self.integer(dim), self.integer(arms), self.integer(resources))
        for _ in range(CALLS // 2):
            Z, tol = self.pick([1.0, 5.0, 0.0, np.inf, *ODD_NUMBERS]), self.pick([None, "exact", 1e-6, -1.0, "none"])
            problem = self.array(arms, dim), self.array(arms, resources, dim), self.array(resources), Z, tol
            if dual is not None:
                self.attempt("add", dual.add, self.array(dim))
                self.attempt("extend", dual.extend, self.array(5, dim))
                self.attempt("solve", dual.solve, *problem, save_to=_nowhere())
            data = self.array(5, arms), self.array(5, arms, resources), self.array(resources)
            self.attempt("solve_dual", solve_dual, *data, Z, tol, save_to=_nowhere())


@cache
def _stream(dim, arms, horizon, knapsacks):
    """The rounds of an instance, and its average capacities."""
    dim = dim if isinstance(dim, int) and 1 < dim < 100 else 5
    if knapsacks:
        instance = CBwKInstance.draw(rng(0, "fuzz"), dim, 2, arms, 2)
        return instance.sample(horizon, rng(0, "fuzz stream"), 1.0), instance.rho
    return BanditInstance.draw(rng(0, "fuzz"), dim, 2, arms).sample(horizon, rng(0, "fuzz stream")), np.zeros(0)


@cache
def _nowhere():
    """A folder for uncertified problems."""
    return tempfile.mkdtemp()


def main(first, last):
    """Run some sequences; the seed of each is printed before it starts."""
    seen = Counter()
    for seed in range(first, last):
        print(seed, flush=True)
        seen += Fuzzer(seed).run()
    print(*(f"{count} {what}" for what, count in sorted(seen.items())), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
