rule overview:
    input:
        figures=expand(f"{FIGURES}/{{name}}.png", name=[*SHOWN, "fig4_rates"]),
        ledgers=expand(f"{FIGURES}/{{name}}.csv", name=LEDGERS),
        code=package("hdbwk.reporting.overview"),
    output:
        report(f"{RESULTS}/pages/overview.html", caption="../report/overview.rst", category="Overview"),
    log:
        f"{RESULTS}/logs/pages/overview.log",
    benchmark:
        f"{RESULTS}/benchmarks/pages/overview.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=FIGURES,
        captions=inert({name: figure.caption for name, (_, figure) in SHOWN.items()}),
    script:
        "../scripts/overview.py"


rule about:
    input:
        code=package("hdbwk.reporting.pages", "hdbwk.pipeline.tables"),
    output:
        report(f"{RESULTS}/pages/about.html", caption="../report/about.rst", category="About"),
    log:
        f"{RESULTS}/logs/pages/about.log",
    benchmark:
        f"{RESULTS}/benchmarks/pages/about.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        config=inert(config),
    script:
        "../scripts/about.py"


rule pages:
    input:
        get_final_output(),
        expand(f"{RESULTS}/pages/{{page}}.html", page=["overview", *LEDGERS, "about"]),
        rules.notebooks.input,
