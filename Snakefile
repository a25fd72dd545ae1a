import os
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.0")

# The package beside this file, for Snakemake and for its jobs: it need not be installed, and goes before one that is.
SOURCE = workflow.current_basedir.join("src").get_path_or_uri(secret_free=True)
sys.path.insert(0, SOURCE)
os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH")])))

from hdbwk.pipeline.config import FILES

# Of the folder in which the workflow is run, if that has a configuration, else of the workflow. Each file adds a section.
CONFIG = [f"config/{name}" for name in FILES]
HERE = list(filter(os.path.exists, CONFIG)) if Path(CONFIG[0]).exists() else []
for file in HERE or map(workflow.source_path, CONFIG):

    configfile: file


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/ledgers.smk"
include: "workflow/rules/use.smk"
include: "workflow/rules/sensitivity.smk"
include: "workflow/rules/notebooks.smk"
include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        get_final_output(),


onstart:
    logger.addHandler(Announcer())


onsuccess:
    print(utilisation())
    print(verdict_counts())
