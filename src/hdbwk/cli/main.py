"""The commands, their help, and what they say when something is wrong."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import hdbwk
from hdbwk.cli import project
from hdbwk.cli.listing import details, overview, policy_details
from hdbwk.policies.registry import POLICIES

EXAMPLES = """\
examples:
  hdbwk list                       all experiments with their methods
  hdbwk list bandit                every key of one, as --set takes them
  hdbwk list primal_dual           the parameters of a policy
  hdbwk run recovery               its first method on trial 0, with a picture
  hdbwk run bandit --method greedy_s10 --method lasso_total_05 --trial 3
  hdbwk run cbwk --method resolving_skip_s10 --set horizon=500 --set capacity.high=0.4
  hdbwk diagnose contexts.csv      are the assumptions of the paper met?
"""
RUN = """\
One trial outside the workflow, with the seeds of the workflow: trial 3 is trial 3, with the same instance, contexts,
noise and numbers. Methods that are named together meet the same trial. Bandits are played for `horizon` rounds.

examples:
  hdbwk run recovery --method online_ht_s20 --method lasso_c05 --set dim=400
  hdbwk run bandit --method eps_greedy_s10 --set methods.eps_greedy_s10.epsilon=0.2 --trial 7
  hdbwk run cbwk --config config/smoke.yaml --plot trial.pdf
"""
DIAGNOSE = """\
Reads contexts, one row each, and measures the assumptions of the paper that contexts alone can break: bounded entries,
sparse eigenvalues, diversity. Columns that hold no numbers are left out. With parameters of arms at hand, call
hdbwk.diagnose(X, mu=..., W=..., rho=...) from Python: it checks margins and the dual as well.

examples:
  hdbwk diagnose contexts.csv
  hdbwk diagnose contexts.parquet --sparsity 20
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 0 if all went well, 2 with a line on stderr for each thing that is wrong."""
    arguments = parser().parse_args(argv)
    try:
        arguments.command(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` for example, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ArithmeticError, MemoryError, OSError, RuntimeError, ValueError) as error:
        for line in str(error).splitlines() or [type(error).__name__]:
            print(f"hdbwk: {line}", file=sys.stderr)
        return 2
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be typed."""
    top = argparse.ArgumentParser(
        "hdbwk",
        description="High-dimensional linear bandits with knapsacks: try a trial, list experiments, diagnose data.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"hdbwk {hdbwk.__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    listing = commands.add_parser("list", help="experiments, methods, sizes")
    listing.add_argument("name", nargs="?", metavar="NAME", help="show every key of this experiment or policy")
    listing.set_defaults(command=_list)

    run = _command(commands, "run", "one trial, with a progress bar and a picture", RUN)
    run.add_argument("experiment", metavar="EXPERIMENT", help="a name that `hdbwk list` shows")
    run.add_argument(
        "--method", action="append", default=[], metavar="NAME", help="may be given again; default: the first"
    )
    run.add_argument("--trial", type=_count, default=0, metavar="N", help="which trial (default: 0)")
    run.add_argument("--seed", type=_count, metavar="N", help="root seed (default: that of the configuration)")
    run.add_argument(
        "--set",
        action="append",
        default=[],
        dest="changes",
        metavar="KEY=VALUE",
        help="change a key; may be given again",
    )
    run.add_argument("--plot", metavar="FILE", help="where the picture goes: .png, .pdf or .svg")
    run.set_defaults(command=_run)
    for command in (listing, run):
        command.add_argument(
            "--config",
            action="append",
            default=[],
            metavar="FILE",
            help="YAML over the files of config; may be given again",
        )

    diagnose = _command(commands, "diagnose", "are the assumptions met by these contexts?", DIAGNOSE)
    diagnose.add_argument("file", metavar="FILE", help="contexts as .csv or .parquet")
    diagnose.add_argument("--sparsity", type=_count, default=10, metavar="S", help="s0 of the parameters (default: 10)")
    diagnose.set_defaults(command=_diagnose)
    return top


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, line: str, text: str
) -> argparse.ArgumentParser:
    return commands.add_parser(name, help=line, description=text, formatter_class=argparse.RawDescriptionHelpFormatter)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def _list(arguments: argparse.Namespace) -> None:
    plan, name = project.read_config(project.find_root(), arguments.config), arguments.name
    if name in POLICIES and name not in plan.experiments:
        print(policy_details(name))
    else:
        print(details(project.find_experiment(plan, name)) if name else overview(plan))


def _run(arguments: argparse.Namespace) -> None:
    plan = project.read_config(project.find_root(), arguments.config)
    found = project.find_experiment(plan, arguments.experiment)
    spec = project.chosen(found, arguments.method, arguments.changes)
    seed = plan.seed if arguments.seed is None else arguments.seed
    picture = _picture(arguments.plot or f"{spec.name}_trial{arguments.trial}.png")

    from hdbwk.cli.trial import follow, summary
    from hdbwk.plotting.trial import draw

    table = follow(spec, arguments.trial, seed, progress=True)
    draw(table, spec, f"{spec.name}, trial {arguments.trial}, seed {seed}", [picture])
    print(summary(table, spec))
    print(f"picture: {picture}")


def _picture(file: str) -> Path:
    """The path of a picture, refused before anything runs if it cannot be written."""
    path = Path(file)
    if path.suffix not in (".png", ".pdf", ".svg"):
        raise ValueError(f"--plot {file}: the name must end in .png, .pdf or .svg")
    if path.is_dir() or not path.parent.is_dir():
        raise ValueError(f"--plot {file}: " + ("is a folder" if path.is_dir() else f"there is no folder {path.parent}"))
    return path


def _diagnose(arguments: argparse.Namespace) -> None:
    from hdbwk.cli.contexts import read_contexts

    contexts = read_contexts(Path(arguments.file))
    print(hdbwk.diagnose(contexts.to_numpy(dtype=float), sparsity=arguments.sparsity))
