rule times:
    input:
        code=lambda wildcards: package(
            "hdbwk.experiments.field.times",
            *EXPERIMENTS[wildcards.experiment].code(*EXPERIMENTS[wildcards.experiment].methods),
        ),
        kernels=rules.kernels.output,
    output:
        f"{RESULTS}/{{experiment}}/times.parquet",
    log:
        f"{RESULTS}/logs/times/{{experiment}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/times/{{experiment}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wildcards: EXPERIMENTS[wildcards.experiment].job(*EXPERIMENTS[wildcards.experiment].methods),
        origin=lambda wildcards: table_origin(wildcards.experiment, "times"),
    script:
        "../scripts/times.py"


use rule claims as field with:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=["bandit", *FIELD]),
        code=package("hdbwk.ledgers.field", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/field.csv",
        md=f"{FIGURES}/field.md",
        html=report(f"{RESULTS}/pages/field.html", caption="../report/field.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/field.log",
    benchmark:
        f"{RESULTS}/benchmarks/field.tsv"
    params:
        ledger="field",
        settings=ledger_settings("bandit", *FIELD),
        origins=trials_origins("bandit", *FIELD),


rule timed_field:
    input:
        times=expand(f"{RESULTS}/{{name}}/times.parquet", name=FIELD),
        code=package("hdbwk.ledgers.timed_field", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{RESULTS}/times/field.csv",
        md=f"{RESULTS}/times/field.md",
        html=report(f"{RESULTS}/pages/timed_field.html", caption="../report/times.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/timed_field.log",
    benchmark:
        f"{RESULTS}/benchmarks/timed_field.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        origins={name: table_origin(name, "times") for name in FIELD},
    script:
        "../scripts/timed_field.py"
