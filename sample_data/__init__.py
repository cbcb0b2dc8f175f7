"""A small studio day with known faults, and the filings that it ran under; found by ``importlib.resources`` in a wheel too."""
