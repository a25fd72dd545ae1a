"""Draw Figure 4, with its data beside it."""

from _job import log_to

log_to(snakemake.log[0])

import json

from hdbwk.ledgers.rates import judge, points
from hdbwk.pipeline.tables import read_trials
from hdbwk.ledgers.figure import draw
from hdbwk.core.files import write_csv

settings = json.loads(snakemake.params.settings)
trials = read_trials(snakemake.input.trials, snakemake.params.origins)
data = points(settings, trials)
write_csv(data, snakemake.output.csv)
draw(data, judge(settings, trials), [snakemake.output.pdf, snakemake.output.png])
