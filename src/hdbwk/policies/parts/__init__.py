"""What policies are made of."""
