rule fig1_recovery:
    input:
        trials=f"{RESULTS}/recovery/trials.parquet",
        code=package("hdbwk.plotting.recovery", "hdbwk.tables"),
    output:
        pdf=report(
            f"{FIGURES}/fig1_recovery.pdf",
            caption="../report/fig1_recovery.rst",
            category="Figures",
        ),
        png=f"{FIGURES}/fig1_recovery.png",
        csv=f"{FIGURES}/fig1_recovery.csv",
    log:
        f"{RESULTS}/logs/fig1_recovery.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig1_recovery.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        plot="recovery",
        spec=EXPERIMENTS["recovery"],
    script:
        "../scripts/figure.py"


use rule fig1_recovery as fig2_bandit with:
    input:
        trials=f"{RESULTS}/bandit/trials.parquet",
        code=package("hdbwk.plotting.bandit", "hdbwk.tables"),
    output:
        pdf=report(f"{FIGURES}/fig2_bandit.pdf", caption="../report/fig2_bandit.rst", category="Figures"),
        png=f"{FIGURES}/fig2_bandit.png",
        csv=f"{FIGURES}/fig2_bandit.csv",
    log:
        f"{RESULTS}/logs/fig2_bandit.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig2_bandit.tsv"
    params:
        plot="bandit",
        spec=EXPERIMENTS["bandit"],
