"""Tables of what was measured and what it means."""
