# Every picture of every experiment that the configuration names.
rule figure:
    input:
        tables=tables_of,
        code=lambda wildcards: package(figure_module(wildcards.figure), "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/{{figure}}.pdf",
        png=report(f"{FIGURES}/{{figure}}.png", caption="../report/figure.rst", category="Figures"),
        csv=f"{FIGURES}/{{figure}}.csv",
    log:
        f"{RESULTS}/logs/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{figure}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        module=lambda wildcards: figure_module(wildcards.figure),
        caption=lambda wildcards: SHOWN[wildcards.figure][1].caption,
        spec=lambda wildcards: inert(EXPERIMENTS[SHOWN[wildcards.figure][0]].dump()),
        origins=lambda wildcards: [
            table_origin(SHOWN[wildcards.figure][0], table) for table in SHOWN[wildcards.figure][1].tables
        ],
    script:
        "../scripts/figure.py"


rule budgets:
    input:
        code=lambda wildcards: package(
            *EXPERIMENTS[wildcards.experiment].code(*EXPERIMENTS[wildcards.experiment].methods)
        ),
        kernels=rules.kernels.output,
    output:
        f"{RESULTS}/{{experiment}}/budgets.parquet",
    log:
        f"{RESULTS}/logs/budgets/{{experiment}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/budgets/{{experiment}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wildcards: EXPERIMENTS[wildcards.experiment].job(*EXPERIMENTS[wildcards.experiment].methods),
        origin=lambda wildcards: table_origin(wildcards.experiment, "budgets"),
    script:
        "../scripts/budgets.py"
