"""One folder for each experiment: what it is (`spec`), and how a trial is run (`trial`)."""
