"""The pages of ``docs/`` that are made from the project itself (``make docs``)."""
