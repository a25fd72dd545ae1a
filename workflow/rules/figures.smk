rule fig1_recovery:
    input:
        tables=[f"{RESULTS}/recovery/trials.parquet"],
        code=package("hdbwk.plotting.recovery", "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/fig1_recovery.pdf",
        png=report(f"{FIGURES}/fig1_recovery.png", caption="../report/fig1_recovery.rst", category="Figures"),
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
        spec=inert(EXPERIMENTS["recovery"]),
        origins=[trials_origin("recovery")],
    script:
        "../scripts/figure.py"


use rule fig1_recovery as fig2_bandit with:
    input:
        tables=[f"{RESULTS}/bandit/trials.parquet"],
        code=package("hdbwk.plotting.bandit", "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/fig2_bandit.pdf",
        png=report(f"{FIGURES}/fig2_bandit.png", caption="../report/fig2_bandit.rst", category="Figures"),
        csv=f"{FIGURES}/fig2_bandit.csv",
    log:
        f"{RESULTS}/logs/fig2_bandit.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig2_bandit.tsv"
    params:
        plot="bandit",
        spec=inert(EXPERIMENTS["bandit"]),
        origins=[trials_origin("bandit")],


use rule fig1_recovery as fig3_cbwk with:
    input:
        tables=[f"{RESULTS}/cbwk/trials.parquet"],
        code=package("hdbwk.plotting.cbwk", "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/fig3_cbwk.pdf",
        png=report(f"{FIGURES}/fig3_cbwk.png", caption="../report/fig3_cbwk.rst", category="Figures"),
        csv=f"{FIGURES}/fig3_cbwk.csv",
    log:
        f"{RESULTS}/logs/fig3_cbwk.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig3_cbwk.tsv"
    params:
        plot="cbwk",
        spec=inert(EXPERIMENTS["cbwk"]),
        origins=[trials_origin("cbwk")],


rule budgets:
    input:
        code=policy_code("hdbwk.experiments.cbwk", methods=EXPERIMENTS["cbwk"]["methods"].values()),
        kernels=rules.kernels.output,
    output:
        f"{RESULTS}/budgets.parquet",
    log:
        f"{RESULTS}/logs/budgets.log",
    benchmark:
        f"{RESULTS}/benchmarks/budgets.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=EXPERIMENTS["cbwk"],
        origin=BUDGETS_ORIGIN,
    script:
        "../scripts/budgets.py"


use rule fig1_recovery as fig3b_budgets with:
    input:
        tables=[f"{RESULTS}/cbwk/trials.parquet", f"{RESULTS}/budgets.parquet"],
        code=package("hdbwk.plotting.budgets", "hdbwk.pipeline.tables"),
    output:
        pdf=f"{FIGURES}/fig3b_budgets.pdf",
        png=report(f"{FIGURES}/fig3b_budgets.png", caption="../report/fig3b_budgets.rst", category="Figures"),
        csv=f"{FIGURES}/fig3b_budgets.csv",
    log:
        f"{RESULTS}/logs/fig3b_budgets.log",
    benchmark:
        f"{RESULTS}/benchmarks/fig3b_budgets.tsv"
    params:
        plot="budgets",
        spec=inert(EXPERIMENTS["cbwk"]),
        origins=[trials_origin("cbwk"), BUDGETS_ORIGIN],
