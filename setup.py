"""All settings are in pyproject.toml; here the configuration is put into wheels, beside the code that reads it."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithConfiguration(build_py):
    """config/*.yaml become hdbwk/config/*.yaml, where `hdbwk list` and `run` find them outside a clone."""

    def run(self) -> None:
        """Build, then copy; an editable installation finds them in the clone."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "hdbwk/config"
            target.mkdir(parents=True, exist_ok=True)
            for file in sorted(Path("config").glob("*.yaml")):
                shutil.copy(file, target)


setup(cmdclass={"build_py": BuildWithConfiguration})
