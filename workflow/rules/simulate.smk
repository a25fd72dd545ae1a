# Machine code is kept on disk; without this rule, all jobs that start together would compile it first. It has no input,
# so that an edit does not run it, and with it every job behind it, again: after an edit jobs compile what they need.
rule kernels:
    output:
        f"{RESULTS}/kernels.txt",
    log:
        f"{RESULTS}/logs/kernels.log",
    benchmark:
        f"{RESULTS}/benchmarks/kernels.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    script:
        "../scripts/kernels.py"


rule fluid:
    input:
        code=package("hdbwk.experiments.cbwk.law", "hdbwk.pipeline.tables"),
        kernels=rules.kernels.output,
    output:
        f"{RESULTS}/fluid/{{instance}}/{{chunk}}.parquet",
    log:
        f"{RESULTS}/logs/fluid/{{instance}}/{{chunk}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fluid/{{instance}}/{{chunk}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        spec=lambda wildcards: FLUID[wildcards.instance].model_dump(mode="json"),
        origin=lambda wildcards: fluid_origin(wildcards.instance, wildcards.chunk),
    script:
        "../scripts/fluid.py"


rule simulate:
    input:
        code=code_of,
        fluid=fluid_of,
        kernels=rules.kernels.output,
    output:
        f"{RESULTS}/{{experiment}}/{{method}}/{{chunk}}.parquet",
    log:
        f"{RESULTS}/logs/simulate/{{experiment}}/{{method}}/{{chunk}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/simulate/{{experiment}}/{{method}}/{{chunk}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=30,
    params:
        spec=job_spec,
        origin=lambda wildcards: origins_of(wildcards.experiment)[wildcards.method],
        fluid_origin=lambda wildcards, input: [
            fluid_origin(Path(path).parent.name, wildcards.chunk) for path in input.fluid
        ],
    script:
        "../scripts/simulate.py"


rule collect:
    input:
        chunks=lambda wildcards: chunks_of(wildcards.experiment),
        code=package("hdbwk.pipeline.chunks", "hdbwk.pipeline.tables"),
    output:
        f"{RESULTS}/{{experiment}}/trials.parquet",
    log:
        f"{RESULTS}/logs/collect/{{experiment}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/collect/{{experiment}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=10,
    params:
        origins=lambda wildcards: origins_of(wildcards.experiment),
        longer=lambda wildcards: EXPERIMENTS[wildcards.experiment].longer(),
        origin=lambda wildcards: table_origin(wildcards.experiment, "trials"),
    script:
        "../scripts/collect.py"
