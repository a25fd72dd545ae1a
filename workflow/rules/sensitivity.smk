rule sensitivity:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=[*settings.KINDS, *config["sensitivity"]]),
        code=package("hdbwk.ledgers.sensitivity", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
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
        ledger="sensitivity",
        settings=inert(config["sensitivity"]),
        origins=trials_origins(*settings.KINDS, *config["sensitivity"]),
    script:
        "../scripts/ledger.py"


use rule sensitivity as tuning with:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=map(settings.tuning_name, config["tuning"])),
        code=package("hdbwk.ledgers.tuning", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/tuning.csv",
        md=f"{FIGURES}/tuning.md",
    log:
        f"{RESULTS}/logs/tuning.log",
    benchmark:
        f"{RESULTS}/benchmarks/tuning.tsv"
    params:
        ledger="tuning",
        settings=inert(config["tuning"]),
        origins=trials_origins(*map(settings.tuning_name, config["tuning"])),
