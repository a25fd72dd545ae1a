use rule claims as warfarin with:
    input:
        trials=[f"{RESULTS}/warfarin/trials.parquet"],
        code=package("hdbwk.ledgers.warfarin", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/warfarin.csv",
        md=f"{FIGURES}/warfarin.md",
        html=report(f"{RESULTS}/pages/warfarin.html", caption="../report/warfarin.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/warfarin.log",
    benchmark:
        f"{RESULTS}/benchmarks/warfarin.tsv"
    params:
        ledger="warfarin",
        settings=ledger_settings(*DATA),
        origins=trials_origins(*DATA),


use rule claims as levels with:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=UNKNOWN),
        code=package("hdbwk.ledgers.levels", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/levels.csv",
        md=f"{FIGURES}/levels.md",
        html=report(f"{RESULTS}/pages/levels.html", caption="../report/levels.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/levels.log",
    benchmark:
        f"{RESULTS}/benchmarks/levels.tsv"
    params:
        ledger="levels",
        settings=ledger_settings(*UNKNOWN),
        origins=trials_origins(*UNKNOWN),
