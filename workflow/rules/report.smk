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
        expand(f"{RESULTS}/pages/{{page}}.html", page=[*LEDGERS, "about"]),
        rules.notebooks.input,
