"""Readers of ../shared/data, a module for each source. No text of it is kept."""
