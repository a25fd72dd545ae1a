"""What an experiment is: the law of its instances, its methods, and how its trials are run and shown."""

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field, Strict

from hdbwk.core.progress import watched
from hdbwk.core.seeds import rng
from hdbwk.core.spec import Flag, Label, Number, Positive, Size, Spec, distinct
from hdbwk.environments.signals import SignalLaw

MEMORY = 16  # GiB that one job may need
JOBS = 20_000  # that one experiment may plan
Rounds = Annotated[int, Strict(), Field(ge=1, le=100_000)]
Trials = Annotated[int, Strict(), Field(ge=1, le=10_000)]
Arms = Annotated[int, Strict(), Field(ge=1, le=1000)]
Horizons = Annotated[list[Rounds], AfterValidator(distinct), Field(min_length=1, max_length=100)]
Values = Mapping[Any, Any]


class Signal(Spec):
    """The law of the non-zero entries of a parameter."""

    low: Number = Field(ge=0, le=1, description="least size of an entry")
    high: Number = Field(ge=0.001, le=1, description="largest size; Section 3 asks for at most 1")
    signs: Literal["random", "positive"] = Field(description="signs of the entries")
    unit: Flag = Field(False, description="divide by sqrt(s0), so that the size of responses does not grow with s0")

    def faults(self) -> Iterator[str]:
        if self.low > self.high:
            yield f"@low = {self.low} exceeds @high = {self.high}"

    def law(self, sparsity: int) -> SignalLaw:
        """What the environments draw vectors with so many entries from."""
        scale = sparsity**-0.5 if self.unit else 1.0
        return SignalLaw(scale * self.low, scale * self.high, self.signs)


class Sweep(Spec):
    """An experiment at several sizes."""

    key: Literal["dim", "sparsity", "n_arms", "n_outputs", "n_resources", "noise"] = Field(
        description="what is swept over"
    )
    values: Annotated[list[Size | Positive], AfterValidator(distinct), Field(min_length=2, max_length=100)] = Field(
        description="its values"
    )


class Seeded(Spec):
    """
    Something with random numbers of its own.

    Attributes
    ----------
    seeds : str
        The first key of its random numbers: experiments that share it, and `seed_label`, share their instances.
    """

    seeds: ClassVar[str]
    renamed: ClassVar = {"setting": "seed_label", "every": "read_every"}
    seed_label: Label = Field(description="a name that enters the seeds: another name gives other trials")

    def generator(self, seed: int, trial: int, stream: str) -> np.random.Generator:
        """The random numbers of one part of a trial."""
        return rng(seed, self.seeds, self.seed_label, trial, stream)

    def sizes(self) -> Iterator[tuple[float | None, Self]]:
        """At each size of a sweep, or as it is with the size None."""
        yield None, self


class Law(Seeded):
    """What the instances of an experiment are drawn from."""

    dim: Rounds = Field(description="d, dimension of the contexts")
    sparsity: Rounds = Field(description="s0, non-zero entries of the truth")
    noise: Number = Field(ge=0, le=1000, description="sigma, standard deviation of the noise of responses")
    correlation: Number = Field(ge=-0.9999, le=0.9999, description="alpha of the covariance alpha^\\|i-j\\|")
    bound: Annotated[Number, Field(ge=0.001, le=1000)] | None = Field(
        description="D: entries of contexts are clipped to [-D, D]; null leaves them Gaussian"
    )
    signal: Signal = Field(description="law of the non-zero entries of the parameters of rewards")
    sweep: Sweep | None = Field(None, description="run once for each of some values of a key")

    def faults(self) -> Iterator[str]:
        if self.sparsity > self.dim:
            yield f"@sparsity = {self.sparsity} exceeds @dim = {self.dim}"
        elif self.sweep:
            list(self.sizes())  # each is checked

    def shared(self) -> dict[str, Any]:
        """The arguments that the `draw` of every environment takes."""
        plain = {key: getattr(self, key) for key in ("dim", "sparsity", "noise", "correlation", "bound")}
        return {**plain, "signal": self.signal.law(self.sparsity)}

    def largest_eigenvalue(self, size: int) -> float:
        """At most so large is E x x' on a support of some size."""
        alpha = abs(self.correlation)
        return min((1 + alpha) / (1 - alpha), size)

    def sizes(self) -> Iterator[tuple[float | None, Self]]:
        """
        At each size of the sweep, or as it is with the size None.

        What methods assume of the sparsity follows a sweep over it in proportion.
        """
        if self.sweep is None:
            yield None, self
            return
        plain = self.model_dump(exclude={"sweep"})
        for size in self.sweep.values:  # noqa: PD011
            sized = _scaled(plain, int(size), self.sparsity) if self.sweep.key == "sparsity" else plain
            yield size, self.model_validate({**sized, self.sweep.key: size})


def _scaled(params: Any, sparsity: int, base: int) -> Any:
    """All sparsities in nested parameters, multiplied by the factor by which the true one changes."""
    if not isinstance(params, dict):
        return params
    return {
        key: max(value * sparsity // base, 1)
        if key in ("sparsity", "working_sparsity") and isinstance(value, int)
        else _scaled(value, sparsity, base)
        for key, value in params.items()
    }


class Figure(NamedTuple):
    """A picture of an experiment: the module beside its spec that draws it, what to see, the tables that it shows."""

    module: str
    caption: str
    tables: tuple[str, ...] = ("trials",)


class Study(Seeded):
    """
    Methods that are run in trials, on instances of a law or on data.

    A subclass names its `kind`; a module `trial` beside it says in `run` how a trial is run. The rest has defaults.

    Attributes
    ----------
    kind : str
        What a section of the configuration calls it.
    panels : mapping
        The measures that one trial shows, each with a title and the label of its axis.
    pictures : mapping
        Its figures, by the names of their files.
    at_stake : mapping
        The assumptions that matter, by their numbers in the paper, each with the theorems that need it.
    """

    kind: ClassVar[str]
    panels: ClassVar[Mapping[str, tuple[str, str]]] = {}
    pictures: ClassVar[Mapping[str, Figure]] = {}
    at_stake: ClassVar[Mapping[str, str]] = {}
    name: str = ""
    horizon: Rounds = Field(
        description="T, rounds of a trial; of several horizons, the one that is shown round by round"
    )
    read_every: Rounds = Field(description="rounds between two readings of a trial; the last round is always read")
    trials: Annotated[Trials, Field(ge=2)] = Field(
        50, description="independent trials, each with an instance of its own; an interval over trials needs two"
    )
    trials_per_job: Trials = Field(
        25,
        description="how many of them one job simulates; the numbers do not depend on it; a job takes 2 seconds to "
        "start (10 on a cluster), so let it last for longer",
    )
    methods: dict[Label, Any] = Field(description="label -> method, see below")

    def part(self, name: str) -> Any:
        """A module of the experiment's folder, imported when it is needed."""
        return importlib.import_module(f"{self.folder()}.{name}")

    @classmethod
    def folder(cls) -> str:
        """The package of the experiment."""
        return cls.__module__.rpartition(".")[0]

    @property
    def run(self) -> Callable[..., pd.DataFrame]:
        """One trial: called with method, trial, seed, it returns a row for each round that is read."""
        return partial(self.part("trial").run, self)

    def instance(self, trial: int, seed: int) -> Any:
        """The instance of a trial."""
        raise NotImplementedError

    def run_trials(
        self, method: str, trials: Iterable[int], seed: int, values: Values | None = None, progress: bool = False
    ) -> pd.DataFrame:
        """
        Simulate one method on some trials.

        Parameters
        ----------
        method : str
            A key of `methods`.
        trials : iterable of int
            Which trials; each draws its own instance from seeds that depend on nothing else.
        seed : int
            The root seed.
        values : mapping, optional
            The benchmark of each trial (in a sweep, of each trial and size), if the experiment needs one and it is
            known; else it is computed.
        progress : bool
            Whether to show progress bars on stderr, instead of a line on stdout for each trial.

        Returns
        -------
        DataFrame
            One row for each trial, each size of a sweep and each round that is read.
        """
        tables = []
        for trial in watched(trials, method, "trials", progress):
            start = time.process_time()
            for size, sized in self.sizes():
                value = {} if values is None else {"value": values[trial if size is None else (trial, size)]}
                try:
                    table = sized.run(method, trial, seed, progress=progress, **value)
                except Exception as error:
                    error.add_note(f"while simulating {method}, trial {trial}, seed {seed}")
                    raise
                place = {"method": method, "trial": trial} | ({} if size is None else {"size": size})
                tables.append(pd.concat([pd.DataFrame(place, index=table.index), table], axis=1))
            if not progress:
                print(f"{method}: trial {trial} took {time.process_time() - start:.2f} s", flush=True)
        return pd.concat(tables, ignore_index=True)

    def follow(self, method: str, trial: int, seed: int, progress: bool) -> pd.DataFrame:
        """One trial for `hdbwk run`: columns ``measure``, ``t``, ``value``, and ``resource`` where there is one."""
        table = self.run(method, trial, seed, progress=progress)
        if "horizon" in table:
            table = table[table["horizon"] == self.horizon].drop(columns="horizon")
        return table.melt("t", list(self.panels) or None, var_name="measure")

    def sentence(self, rows: pd.DataFrame) -> str:
        """What a method came to in a trial that was followed."""
        return ", ".join(f"{measure} {part.iloc[-1]['value']:.4g}" for measure, part in rows.groupby("measure"))

    def figures(self) -> dict[str, Figure]:
        """The pictures by the names of their files."""
        suffix = "" if self.name == self.kind else f"_{self.name}"
        return {f"{name}{suffix}": figure for name, figure in self.pictures.items()}

    def fluid(self) -> Law | None:
        """The law whose values V_UB the trials need, if any."""
        return None

    def dump(self) -> dict[str, Any]:
        """All parameters as JSON has them, from which `hdbwk.experiments.registry.experiment` makes the experiment."""
        return {"kind": self.kind, **self.model_dump(mode="json")}

    def job(self, *methods: str) -> dict[str, Any]:
        """The part that decides the numbers of some methods' trials."""
        params = {key: value for key, value in self.dump().items() if key not in ("name", "trials", "trials_per_job")}
        return {**params, "methods": {method: params["methods"][method] for method in methods}}

    def code(self, *methods: str) -> list[str]:
        """The modules that decide the numbers of methods: the experiment's own, and those of its policies."""
        policies = {module for method in methods for module in getattr(self.methods[method], "modules", ())}
        return [type(self).__module__, f"{self.folder()}.trial", *sorted(policies)]

    def all_horizons(self) -> list[int]:
        """`horizon` and those of the sweep over horizons, if there is one."""
        return sorted({self.horizon, *getattr(self, "horizons", ())})

    def rounds(self, horizon: int) -> list[int]:
        """When a run is read: at its last round and, in the horizon that is shown, at each `read_every`-th."""
        every = self.read_every if horizon == self.horizon else horizon
        return sorted({*range(every, horizon + 1, every), horizon})

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        if self.read_every > self.horizon:
            yield f"@read_every = {self.read_every} exceeds @horizon = {self.horizon}"
        if (jobs := -(-self.trials // self.trials_per_job) * len(self.methods)) > JOBS:
            sizes = f"@trials = {self.trials}, @trials_per_job = {self.trials_per_job}"
            yield f"{sizes}: {jobs} jobs, more than {JOBS}"


class Experiment(Study, Law):
    """A law of instances with methods that are run on it."""

    def memory(self) -> float:
        """GiB that a job needs, roughly: its rounds, and a d x d matrix for each arm."""
        dim, arms, resources = self.dim, getattr(self, "n_arms", 1), getattr(self, "n_resources", 0)
        outputs = getattr(self, "n_outputs", 1) + resources
        rounds = max(*self.all_horizons(), 10_000 if resources else 1)  # contexts of V_UB come in 10,000s
        return 8 * (arms * dim * (dim + 3 * outputs) + rounds * (2 * dim + 4 * arms * outputs)) / 2**30

    def faults(self) -> Iterator[str]:
        yield from super().faults()
        for label, method in self.methods.items():
            yield from self._misfits(label, method)
        if (memory := self.memory()) > MEMORY:
            keys = [key for key in ("dim", "horizon", "n_arms", "n_resources") if hasattr(self, key)]
            sizes = ", ".join(f"@{key} = {getattr(self, key)}" for key in keys)
            yield f"{sizes}: a job would need {memory:.0f} GiB, more than {MEMORY}"

    def _misfits(self, label: str, method: Any) -> Iterator[str]:
        """What the estimator of a method assumes that contexts of this law do not allow."""
        estimator = getattr(method, "estimator", method)
        place = f"@methods.{label}" + ("" if estimator is method else ".estimator")
        if hasattr(estimator, "misfits"):
            yield from (f"{place}.{line}" for line in estimator.misfits(self.dim, self.largest_eigenvalue))
