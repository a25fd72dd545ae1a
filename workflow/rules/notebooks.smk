NOTEBOOKS = ["estimator", "knapsack", "own_data", "results"]


rule notebooks:
    input:
        expand(f"{RESULTS}/notebooks/{{name}}.html", name=NOTEBOOKS),


rule notebook_estimator:
    input:
        notebook=notebook("estimator"),
        code=package(
            "hdbwk.reporting.notebooks", "hdbwk.estimators", "hdbwk.environments.recovery", "hdbwk.plotting.style"
        ),
    output:
        report(
            f"{RESULTS}/notebooks/estimator.html",
            caption="../report/notebook_estimator.rst",
            category="Notebooks",
        ),
    log:
        f"{RESULTS}/logs/notebooks/estimator.log",
    benchmark:
        f"{RESULTS}/benchmarks/notebooks/estimator.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=15,
    params:
        run=None,
    script:
        "../scripts/render_notebook.py"


use rule notebook_estimator as notebook_knapsack with:
    input:
        notebook=notebook("knapsack"),
        code=package(
            "hdbwk.reporting.notebooks",
            "hdbwk.dual.fluid",
            "hdbwk.environments.cbwk",
            "hdbwk.plotting.style",
            "hdbwk.policies.primal_dual",
            "hdbwk.policies.resolving",
            "hdbwk.simulation.loop",
        ),
    output:
        report(
            f"{RESULTS}/notebooks/knapsack.html",
            caption="../report/notebook_knapsack.rst",
            category="Notebooks",
        ),
    log:
        f"{RESULTS}/logs/notebooks/knapsack.log",
    benchmark:
        f"{RESULTS}/benchmarks/notebooks/knapsack.tsv"


use rule notebook_estimator as notebook_own_data with:
    input:
        notebook=notebook("own_data"),
        code=package(
            "hdbwk.reporting.notebooks",
            "hdbwk.diagnostics",
            "hdbwk.dual.explicit",
            "hdbwk.experiments.warfarin.data",
            "hdbwk.plotting.style",
            "hdbwk.policies.lincbwk",
            "hdbwk.policies.primal_dual",
            "hdbwk.policies.resolving",
            "hdbwk.simulation.loop",
        ),
    output:
        report(
            f"{RESULTS}/notebooks/own_data.html",
            caption="../report/notebook_own_data.rst",
            category="Notebooks",
        ),
    log:
        f"{RESULTS}/logs/notebooks/own_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/notebooks/own_data.tsv"


use rule notebook_estimator as notebook_results with:
    input:
        notebook=notebook("results"),
        tables=[f"{RESULTS}/{table}" for table in settings.shown_origins(PLAN)],
        ledgers=expand(f"{FIGURES}/{{name}}.csv", name=LEDGERS),
        code=package("hdbwk.cli.results", "hdbwk.reporting.notebooks", "hdbwk.metrics", "hdbwk.plotting.bands"),
    output:
        report(f"{RESULTS}/notebooks/results.html", caption="../report/notebook_results.rst", category="Notebooks"),
    log:
        f"{RESULTS}/logs/notebooks/results.log",
    benchmark:
        f"{RESULTS}/benchmarks/notebooks/results.tsv"
    params:
        run={"results": RESULTS, "figures": FIGURES, "origins": settings.shown_origins(PLAN)},
