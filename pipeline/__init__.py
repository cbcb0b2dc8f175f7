"""Resettle."""
