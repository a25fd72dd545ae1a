"""`python -m hdbwk`."""

import sys

from hdbwk.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
