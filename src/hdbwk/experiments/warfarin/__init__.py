"""Warfarin doses of the patients of the IWPC, with scarce visits and tablets."""
