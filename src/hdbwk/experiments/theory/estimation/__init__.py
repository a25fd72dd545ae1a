"""Theorems on sparse estimation: Online HT on rows that an allocation chooses, apart from any reward."""
