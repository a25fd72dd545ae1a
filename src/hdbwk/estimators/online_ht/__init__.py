"""Algorithm 1: its round (`algorithm`), its sums (`gram`, `active`), for one regression or for a bank of arms."""
