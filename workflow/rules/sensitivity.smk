rule sensitivity:
    input:
        base=expand(
            f"{RESULTS}/{{experiment}}/trials.parquet", experiment=settings.KINDS
        ),
        variants=expand(
            f"{RESULTS}/{{experiment}}/trials.parquet",
            experiment=config["sensitivity"],
        ),
        code=package("hdbwk.ledgers.sensitivity", "hdbwk.tables"),
    output:
        csv=f"{FIGURES}/sensitivity.csv",
        md=f"{FIGURES}/sensitivity.md",
    log:
        f"{RESULTS}/logs/sensitivity.log",
    benchmark:
        f"{RESULTS}/benchmarks/sensitivity.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        bases={name: variant["base"] for name, variant in config["sensitivity"].items()},
    script:
        "../scripts/sensitivity.py"
