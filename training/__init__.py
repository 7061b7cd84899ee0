"""Trains adapters for the frozen sentence encoder: see README.md."""
