"""The rates that are times: they differ from run to run, so they stand apart from what a run reproduces."""

from functools import partial

from hdbwk.ledgers import rates
from hdbwk.ledgers.rate_rows import TIMES

judge = partial(rates.judge, rates=TIMES)
shown = rates.rows_shown
