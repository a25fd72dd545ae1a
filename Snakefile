import os
from pathlib import Path

from snakemake.utils import min_version

min_version("9.0")

# Of the folder in which the workflow is run, if that has a configuration, else of the workflow. Each file adds a section.
CONFIG = [f"config/{name}.yaml" for name in ("config", "sensitivity", "tuning", "rates")]
HERE = list(filter(os.path.exists, CONFIG)) if Path(CONFIG[0]).exists() else []
for file in HERE or map(workflow.source_path, CONFIG):

    configfile: file


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/ledgers.smk"
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
