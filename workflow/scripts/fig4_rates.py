"""Draw the rates ledger."""

from _job import log_to

log_to(snakemake.log[0])

from hdbwk.ledgers.rates import judge, points
from hdbwk.ledgers.trials import read_trials
from hdbwk.plotting.rates import draw
from hdbwk.tables import write_csv

trials = read_trials(snakemake.input.trials, snakemake.params.origins)
data = points(snakemake.params.settings, trials)
write_csv(data, snakemake.output.csv)
draw(data, judge(snakemake.params.settings, trials), [snakemake.output.pdf, snakemake.output.png])
