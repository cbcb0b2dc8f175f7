"""Prefect's own server for tests of the flows, on a database that is thrown away."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from prefect.testing.utilities import prefect_test_harness

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serving() -> Iterator[None]:
    """While this lasts, flows run against a server of their own, which a loaded machine may take minutes to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "300")
        with prefect_test_harness(server_startup_timeout=300):
            yield
