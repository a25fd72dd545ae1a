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
