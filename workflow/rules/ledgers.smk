PAPER = [name for name in ("recovery", "bandit", "cbwk") if name in EXPERIMENTS]
CLAIMED = [*PAPER, *(name for name in ["nonnegative"] if name in EXPERIMENTS)]
EXTRA = PLAN.names("rates")


rule claims:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=[*CLAIMED, *EXTRA]),
        code=package("hdbwk.ledgers.claims", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/claims.csv",
        md=f"{FIGURES}/claims.md",
        html=report(f"{RESULTS}/pages/claims.html", caption="../report/claims.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/claims.log",
    benchmark:
        f"{RESULTS}/benchmarks/claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        ledger="claims",
        settings=ledger_settings(*CLAIMED),
        origins=trials_origins(*CLAIMED, *EXTRA),
    script:
        "../scripts/ledger.py"


use rule claims as rates with:
    input:
        trials=expand(f"{RESULTS}/{{name}}/trials.parquet", name=["bandit", "cbwk", *EXTRA]),
        code=package("hdbwk.ledgers.rates", "hdbwk.pipeline.tables", "hdbwk.reporting.tables"),
    output:
        csv=f"{FIGURES}/rates.csv",
        md=f"{FIGURES}/rates.md",
        html=report(f"{RESULTS}/pages/rates.html", caption="../report/rates.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/rates.log",
    benchmark:
        f"{RESULTS}/benchmarks/rates.tsv"
    params:
        ledger="rates",
        settings=ledger_settings("bandit", "cbwk", *EXTRA),
        origins=trials_origins("bandit", "cbwk", *EXTRA),


# Times differ from run to run: they stay among the results, so that the figures of a fresh clone are those committed.
use rule claims as timed_claims with:
    output:
        csv=f"{RESULTS}/times/claims.csv",
        md=f"{RESULTS}/times/claims.md",
        html=report(f"{RESULTS}/pages/timed_claims.html", caption="../report/times.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/timed_claims.log",
    benchmark:
        f"{RESULTS}/benchmarks/timed_claims.tsv"
    params:
        ledger="timed_claims",
        settings=rules.claims.params.settings,
        origins=rules.claims.params.origins,


use rule rates as timed_rates with:
    output:
        csv=f"{RESULTS}/times/rates.csv",
        md=f"{RESULTS}/times/rates.md",
        html=report(f"{RESULTS}/pages/timed_rates.html", caption="../report/times.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/timed_rates.log",
    benchmark:
        f"{RESULTS}/benchmarks/timed_rates.tsv"
    params:
        ledger="timed_rates",
        settings=rules.rates.params.settings,
        origins=rules.rates.params.origins,


rule fig4_rates:
    input:
        trials=rules.rates.input.trials,
        code=package("hdbwk.ledgers.rates", "hdbwk.ledgers.figure", "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/fig4_rates.pdf",
        png=report(f"{FIGURES}/fig4_rates.png", caption="../report/fig4_rates.rst", category="Figures"),
        csv=f"{FIGURES}/fig4_rates.csv",
    log:
        f"{RESULTS}/logs/fig4_rates.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig4_rates.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        settings=rules.rates.params.settings,
        origins=rules.rates.params.origins,
    script:
        "../scripts/fig4_rates.py"


rule assumptions:
    input:
        code=package(
            "hdbwk.ledgers.assumptions",
            "hdbwk.pipeline.tables",
            "hdbwk.reporting.tables",
            *(type(EXPERIMENTS[name]).__module__ for name in PAPER),
        ),
    output:
        csv=f"{FIGURES}/assumptions.csv",
        md=f"{FIGURES}/assumptions.md",
        html=report(f"{RESULTS}/pages/assumptions.html", caption="../report/assumptions.rst", category="Ledgers"),
    log:
        f"{RESULTS}/logs/assumptions.log",
    benchmark:
        f"{RESULTS}/benchmarks/assumptions.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        specs=inert({name: EXPERIMENTS[name].job() for name in PAPER}),
        seed=PLAN.seed,
        size=PLAN.head.ledgers.model_dump(include={"instances", "contexts"}),
    script:
        "../scripts/assumptions.py"
