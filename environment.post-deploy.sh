# Snakemake runs this after it made a conda environment from environment.yml: the jobs import the package itself.
pip install --no-deps --no-build-isolation --editable .
