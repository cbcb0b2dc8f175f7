"""The report as JSON: the model field by field, amounts as decimal text, with the answers beside."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from pipeline.report.wording import answers

if TYPE_CHECKING:
    from pipeline.report.model import Report


def render(report: Report) -> bytes:
    """The report as one JSON object; ids and messages stand exactly as in the log."""
    said = {"schema": "resettle-report/1", "answers": answers(report), "report": report}
    return msgspec.json.format(msgspec.json.encode(said, enc_hook=_exact), indent=2) + b"\n"


def _exact(value: object) -> str:
    """A fraction as text, like ``12/5525``."""
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(type(value).__name__)
