"""Data and configuration are never executed; a dotted policy path is the one way to run a user's code."""

import ast
from pathlib import Path

import pytest
import yaml

from hdbwk.pipeline.loading import load, merged
from hdbwk.pipeline.resolve import ConfigError, resolve

ROOT = Path(__file__).parents[2]
PAPER = load(ROOT / "config/config.yaml")
FILES = sorted(path for folder in ("src", "workflow", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "code", "runpy"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_METHODS = {
    *("yaml.load", "yaml.load_all", "yaml.full_load", "yaml.unsafe_load", "yaml.Loader", "yaml.UnsafeLoader"),
    *(
        "np.load",
        "numpy.load",
        "pd.read_pickle",
        "pandas.read_pickle",
        "pd.eval",
        "pandas.eval",
        "os.system",
        "os.popen",
    ),
}
MAY_IMPORT_BY_NAME = {  # everything else names its imports
    "src/hdbwk/experiments/base.py",  # parts of an experiment
    "src/hdbwk/experiments/registry.py",  # the experiments
    "src/hdbwk/policies/registry.py",  # policies, the user's own among them
    "workflow/scripts/figure.py",  # the module of a figure
    "workflow/scripts/ledger.py",  # the module of a ledger
}


def faults(code):
    """What a piece of code does that could execute data."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (name for name in names if name.split(".")[0] in FORBIDDEN_MODULES)
        elif isinstance(node, ast.Name) and node.id in FORBIDDEN_CALLS:
            yield node.id
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in FORBIDDEN_METHODS:
            yield ast.unparse(node)
        elif isinstance(node, ast.keyword) and node.arg in ("allow_pickle", "shell"):
            yield node.arg


def test_there_are_files_to_look_at():
    assert len(FILES) > 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_executes_data(path):
    assert list(faults(path.read_text())) == []


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from joblib import load",
        "eval(text)",
        "run = exec",
        "yaml.load(file)",
        "yaml.unsafe_load(file)",
        "np.load(file)",
        "read(file, allow_pickle=True)",
        "subprocess.run(text, shell=True)",
    ],
)
def test_the_search_finds_what_it_looks_for(code):
    assert len(list(faults(code))) == 1


def test_modules_are_imported_by_name_in_known_places_only():
    found = {str(path.relative_to(ROOT)) for path in FILES if "import_module" in path.read_text()}
    assert found <= MAY_IMPORT_BY_NAME


def test_a_configuration_cannot_build_objects(tmp_path):
    (tmp_path / "evil.yaml").write_text("seed: !!python/object/apply:os.getpid []\n")
    with pytest.raises(yaml.YAMLError, match="could not determine a constructor"):
        load(tmp_path / "evil.yaml")


MODULES = {
    "broken": "1 / 0\n",
    "syntax": "def\n",
    "leaves": "raise SystemExit('bye')\n",
    "fine": "class Policy:\n    knows_horizon = False\n    def __init__(self, info, rounds): ...\n"
    "    def act(self, x): return 0\n    def update(self, x, arm, reward, consumption=None): ...\n"
    "class Half:\n    def act(self, x): return 0\n",
}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ucb", "policy 'ucb' is unknown"),
        (":", "is unknown"),
        (":X", "cannot be imported"),
        (".relative:X", "cannot be imported"),
        ("no.where:X", "cannot be imported: ModuleNotFound"),
        ("os.path:join", "is not a class with act, update and knows_horizon"),
        ("builtins:eval", "is not a class with act"),
        ("collections:OrderedDict", "is not a class with act"),
        ("broken:X", "cannot be imported: ZeroDivisionError"),
        ("syntax:X", "cannot be imported: SyntaxError"),
        ("leaves:X", "cannot be imported: SystemExit"),
        ("fine:Missing", "cannot be imported: AttributeError"),
        ("fine:Half", "is not a class with act"),
        ("fine:Policy", "missing a required argument: 'rounds'"),
    ],
)
def test_a_path_that_leads_to_no_policy_is_refused_before_any_job(name, message, tmp_path, monkeypatch):
    for module, code in MODULES.items():
        (tmp_path / f"{module}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=message) as refusal:
        resolve(merged(PAPER, {"bandit": {"methods": {"mine": {"name": name}}}}))
    assert "bandit.methods.mine" in str(refusal.value)
