from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/sensitivity.smk"


rule all:
    default_target: True
    input:
        get_final_output(),


onsuccess:
    print(utilisation())
