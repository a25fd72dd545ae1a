"""The claims on times: they differ from run to run, so they stand apart from what a run reproduces."""

from functools import partial

from hdbwk.ledgers import claims
from hdbwk.ledgers.claim_rows import TIMED

judge = partial(claims.judge, claims=TIMED)
shown = claims.shown
