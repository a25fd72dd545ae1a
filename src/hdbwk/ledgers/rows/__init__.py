"""The rows of the rates ledger, a module for each family, with the controls that must break its bounds."""
