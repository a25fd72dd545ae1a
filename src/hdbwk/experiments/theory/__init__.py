"""The theorems, one by one: the simulations behind the rates ledger."""
