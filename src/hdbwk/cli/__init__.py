"""The command line: one trial, a list of what there is, a diagnosis of data."""
