"""From the configuration to the jobs of the workflow and their tables."""
