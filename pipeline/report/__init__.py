"""The report: one typed model (``model``) in one set of words (``wording``), shown by ``terminal``, ``html`` and ``json``."""
