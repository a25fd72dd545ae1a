BASES = {label: entry.base for label, entry in PLAN.head.sensitivity.entries.items()}
COMPARED = [*sorted(set(BASES.values())), *BASES]


rule sensitivity:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=COMPARED),
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
        settings=inert(BASES),
        origins=trials_origins(*COMPARED),
    script:
        "../scripts/ledger.py"


use rule sensitivity as tuning with:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=PLAN.names("tuning")),
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
        settings=inert({label: entry.model_dump() for label, entry in PLAN.head.tuning.entries.items()}),
        origins=trials_origins(*PLAN.names("tuning")),
