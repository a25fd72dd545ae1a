"""Random changes of a configuration, and a quick real run of what passes the check."""

import math

import numpy as np
import pandas as pd

from hdbwk.core.files import write_csv
from hdbwk.experiments.cbwk.trial import budgets
from hdbwk.experiments.registry import experiment
from hdbwk.ledgers import sensitivity, tuning
from hdbwk.pipeline.chunks import chunk_names, trials_of
from hdbwk.pipeline.loading import merged
from hdbwk.pipeline.origins import origin
from hdbwk.pipeline.resolve import resolve
from hdbwk.pipeline.tables import Chunk, merge_chunks, write_table

KEPT = {
    "recovery": ("online_ht_s20", "lasso_c1"),
    "bandit": ("greedy_s10", "eps_greedy_s10", "lasso_per_arm_05", "uniform", "oracle"),
    "cbwk": ("primal_dual_s10", "resolving_s10", "lincbwk"),
}
VARIANTS = {
    "sensitivity": ("recovery_coarse_grid", "bandit_epsilon_theory", "cbwk_random_signs"),
    "tuning": ("bandit_lasso_per_arm", "cbwk_lincbwk"),
    "rates": ("estimation_sparsity", "cbwk_resources", "dual", "offline", "cost_rounds"),
}
LARGEST = {  # what a run of a test can afford; the check has seen the true sizes
    "dim": 30,
    "horizon": 64,
    "trials": 3,
    "n_arms": 5,
    "n_resources": 5,
    "fluid_contexts": 300,
    "max_iter": 500,
}
POOL = [
    *(None, True, False, "", "text", "1", "a\n", "x" * 300, "../up", "/etc", "no.where:X", "os.path:join", ".:X"),
    *([], {}, [1], ["text"], [[]], {"name": "lasso"}, {5: None}),
    *(0, 1, 2, 7, -1, 3.0, 0.5, -0.5, 0.999, 1e-9, 1e-300, 1e300, 10**6, 10**9, 10**30, 10**400),
    *(math.nan, math.inf, -math.inf),
    *("normalized", "theory", "oracle", "estimated", "exact", "positive", "skip", "bandit", "cbwk", "uniform", "lasso"),
]
FACTORS = [-1, 0, 0.01, 0.3, 0.9, 1.1, 2, 4, 10, 100, 1e9]


def small(paper):
    """The configuration of the paper with few methods and variants, in sizes of a few milliseconds."""
    sizes = {"dim": 12, "sparsity": 3, "horizon": 20, "trials": 2, "read_every": 5}
    config = merged(paper, dict.fromkeys(KEPT, sizes))
    for kind, methods in KEPT.items():
        config[kind]["methods"] = {method: config[kind]["methods"][method] for method in methods}
        for params in config[kind]["methods"].values():
            sparse(params)
    for kind in ("nonnegative", "field_bandit", "field_knapsack"):
        del config[kind]
    for section, names in VARIANTS.items():
        entries = {name: config[section][name] for name in names}
        used = sorted({entry.get("kind", entry["base"]) for entry in entries.values()})
        defaults = {kind: config[section]["defaults"][kind] for kind in used}
        for kind, change in defaults.items():
            change.update(trials=2, **({"horizons": [20]} if kind not in ("recovery", "cost") else {}))
            change.pop("fluid_contexts", None)
        config[section] = {"defaults": defaults, **entries}
    for kind in ("bandit", "cbwk"):
        config[kind].update(horizons=[10, 20], n_arms=3)
    config["cbwk"].update(n_resources=2, fluid_contexts=200, long_horizons=[])
    config["cbwk"]["methods"]["resolving_s10"]["explore"] = 5
    config["sensitivity"]["recovery_coarse_grid"].update(change={"read_every": 10}, methods=["online_ht_s20"])
    config["sensitivity"]["bandit_epsilon_theory"]["methods"] = ["eps_greedy_s10"]
    config["sensitivity"]["cbwk_random_signs"]["methods"] = ["primal_dual_s10", "lincbwk"]
    config["tuning"]["cbwk_lincbwk"]["method"] = "lincbwk"
    rates = config["rates"]
    rates["defaults"]["cost"].update(dim=12, read_every=2)
    rates["defaults"]["estimation"].update(sparsity=3)
    rates["defaults"]["cbwk"].update(read_every=10)
    rates["cost_rounds"]["change"].update(horizon=64, trials=2)
    rates["estimation_sparsity"]["change"].update(dim=12, horizons=[20])
    for label in ("estimation_sparsity", "cbwk_resources"):
        rates[label]["sweep"]["values"] = [2, 3]
    for label in ("cbwk_resources", "dual", "offline"):
        rates[label]["change"]["horizons"] = [20]
    rates["defaults"]["estimation"]["methods"] = {"always": rates["defaults"]["estimation"]["methods"]["always"]}
    rates["dual"]["change"]["methods"] = {"learning": rates["dual"]["change"]["methods"]["learning"]}
    rates["dual"]["methods"] = ["learning"]
    rates["cbwk_resources"]["methods"] = ["resolving_s10"]
    for params in (*rates["defaults"]["estimation"]["methods"].values(), *rates["dual"]["change"]["methods"].values()):
        sparse(params)
    return config


def sparse(params):
    """Let a method assume a sparsity of 3."""
    assumed = params.get("estimator", params)
    assumed.update({key: 3 for key in ("sparsity", "working_sparsity") if key in assumed})


def places(node, path=()):
    """All paths into nested mappings and lists."""
    keys = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(node[key], (*path, key))


def mutate(config, random):
    """A copy of the configuration with one random change, and what was changed."""
    config = merged(config, {})
    every = list(places(config))
    *path, key = every[random.integers(len(every))]
    home = config
    for step in path:
        home = home[step]
    old = home[key]
    kind = random.choice(["replace", "scale", "scale", "scale", "delete", "add", "rename", "swap"])
    if kind == "scale" and isinstance(old, bool):
        home[key] = not old
    elif kind == "scale" and isinstance(old, int | float):
        home[key] = type(old)(old * random.choice(FACTORS))
    elif kind == "delete":
        del home[key]
    elif kind == "add" and isinstance(old, dict):
        old[["colour", "Dim", 5, None, "a\n", "exit_rule", "kappa"][random.integers(7)]] = pick(POOL, random)
    elif kind == "rename" and isinstance(home, dict):
        home[f"{key}x"] = home.pop(key)
    elif kind == "swap":
        *other, last = every[random.integers(len(every))]
        source = config
        for step in other:
            source = source[step]
        home[key] = merged({"value": source[last]}, {})["value"]
    else:
        home[key] = pick(POOL, random)
    return config, ".".join(map(str, [*path, key]))


def pick(values, random):
    return merged({"value": values[random.integers(len(values))]}, {})["value"]


def shrunk(config):
    """The same configuration with sizes cut down to what a test can afford."""

    def cut(node, key=None):
        if isinstance(node, dict):
            return {name: cut(value, name) for name, value in node.items()}
        if isinstance(node, list):
            numbers = all(isinstance(item, int) for item in node)  # a default that no entry takes may be anything
            return sorted({min(item, 30) for item in node}) if key == "horizons" and numbers else node
        limit = LARGEST.get(key)
        return min(node, limit) if limit and isinstance(node, int) and not isinstance(node, bool) else node

    config = cut(config)
    for spec in (*(config[kind] for kind in KEPT),):
        fit(spec, spec["dim"], spec["horizon"])
    for entry in config["rates"].values():
        if entry.get("kind") == "cost":
            change = entry.setdefault("change", {})
            horizon = change.setdefault("horizon", config["recovery"]["horizon"])
            every = change.get("read_every", config["rates"].get("defaults", {}).get("cost", {}).get("read_every", 1))
            change["read_every"] = min(every, max(horizon // 16 - 1, 1))
    return config


def fit(spec, dim, horizon):
    """Sparsities and grids that a smaller dimension or horizon allows."""
    spec["sparsity"], spec["read_every"] = min(spec["sparsity"], dim), min(spec["read_every"], horizon)
    for params in spec["methods"].values():
        assumed = params.get("estimator", params)
        for key in {"sparsity", "working_sparsity"} & set(assumed):
            assumed[key] = assumed[key] and min(assumed[key], dim)


def changed_experiments(config, base):
    """The experiments that a mutation concerns; if none, the smallest of all."""
    known = resolve(base).experiments
    names = [name for name, spec in resolve(config).experiments.items() if spec != known.get(name)]
    return names or ["recovery"]


def tables_of(plan, name, folder):
    """Simulate an experiment chunk by chunk and aggregate it, as the jobs of the workflow do."""
    spec = plan.experiments[name]
    chunks = {}
    for method in spec.methods:
        job = experiment(spec.job(method))
        for chunk in chunk_names(spec.trials, spec.trials_per_job):
            path = folder / name / method / f"{chunk}.parquet"
            table = job.run_trials(method, trials_of(chunk), plan.seed)
            write_table(table, path, origin(spec, method, plan.seed))
            chunks[path] = Chunk(origin(spec, method, plan.seed), trials_of(chunk))
    return merge_chunks(chunks)


def run(config, name, folder):
    """Everything that the workflow does with an experiment: trials, aggregation, figure or ledger."""
    plan = resolve(config)
    trials = {name: tables_of(plan, name, folder)}
    if name in plan.shown:
        draw(plan, name, trials[name], folder)
    elif name in plan.names("rates"):
        assert len(trials[name])
    elif name in plan.names("sensitivity"):
        base = plan.head.sensitivity.entries[name].base
        trials[base] = tables_of(plan, base, folder)
        table = sensitivity.judge({name: base}, trials)
        assert len(sensitivity.shown(table)) == len(table)
    else:
        label = name.removeprefix("tuning_")
        entries = {label: plan.head.tuning.entries[label].model_dump()}
        assert len(tuning.shown(tuning.judge(entries, trials))) >= 2


def draw(plan, name, trials, folder):
    """The figures of an experiment."""
    spec = plan.experiments[name]
    for file, figure in spec.figures().items():
        tables = [trials if table == "trials" else budgets(spec, 0, plan.seed) for table in figure.tables]
        plot = spec.part(figure.module)
        data = plot.curves(*tables, spec)
        write_csv(data, folder / f"{file}.csv")
        plot.draw(data, spec, [folder / f"{file}.png"])
        assert np.isfinite(pd.read_csv(folder / f"{file}.csv").select_dtypes("number")).any(axis=None)
