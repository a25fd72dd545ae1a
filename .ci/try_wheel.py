"""What a user of the wheel does first, outside a clone: `make release` runs this in an empty environment."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

BIN = Path(sys.executable).parent
README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
COMMANDS = (
    ["hdbwk", "--version"],
    ["hdbwk", "--help"],
    ["hdbwk", "list"],
    ["hdbwk", "list", "resolving"],
    ["hdbwk", "run", "recovery", "--set", "dim=50", "--set", "horizon=60"],
    ["hdbwk", "run", "bandit", "--method", "greedy_s10", "--set", "horizon=60"],
)


def main() -> None:
    """Run README's example and the commands; an error ends it."""
    import hdbwk

    if Path(hdbwk.__file__).is_relative_to(Path(__file__).parents[1] / "src"):
        sys.exit("this is the clone, not the wheel")
    with tempfile.TemporaryDirectory() as folder:
        for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
            subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
        for name, *arguments in COMMANDS:
            print("$", name, *arguments, flush=True)
            subprocess.run([BIN / name, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(f"the wheel of hdbwk {hdbwk.__version__} works outside a clone")


if __name__ == "__main__":
    main()
