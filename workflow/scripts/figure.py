"""Draw one figure, with its data beside it."""

from _job import log_to

log_to(snakemake.log[0])

import importlib
import json

from hdbwk.core.files import write_csv
from hdbwk.experiments.registry import experiment
from hdbwk.pipeline.tables import read_table

spec = experiment(json.loads(snakemake.params.spec))
plot = importlib.import_module(snakemake.params.module)
expected = zip(snakemake.input.tables, snakemake.params.origins, strict=True)
data = plot.curves(*(read_table(path, origin)[0] for path, origin in expected), spec)
write_csv(data, snakemake.output.csv)
plot.draw(data, spec, [snakemake.output.pdf, snakemake.output.png])
