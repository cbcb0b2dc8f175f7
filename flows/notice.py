"""A notice of what a night holds, through Prefect's own blocks or a webhook: counts and a link, no player, once for the same findings."""

from __future__ import annotations

import hashlib
import inspect
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from httpx import HTTPError
from prefect.blocks.abstract import NotificationBlock, NotificationError
from prefect.blocks.core import Block
from prefect.blocks.webhook import Webhook
from prefect.exceptions import ObjectNotFound
from prefect.utilities.asyncutils import run_coro_as_sync
from pydantic import SecretStr

from pipeline.core.errors import LakeError
from pipeline.lake import appended, open_run, writing
from pipeline.lake.layout import NOTICES, checked_root
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report.wording import count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pipeline.report.model import Report


class Notice(msgspec.Struct, frozen=True):
    """A notice that was taken. ``target`` and ``subject`` are digests: of where it went, since that may hold a secret, and of what it told.

    ``previous`` is the SHA-256 of the line before it, null for the first.
    """

    given_at: datetime
    run_id: str
    target: str
    subject: str
    previous: str | None = None


def give_notice(report: Report, lake: Path, link: str | None, targets: Sequence[str], level: str) -> list[str]:
    """Tell each target of the findings at or above a level, unless it took a notice of the very same before.

    Args:
        report: the night's report.
        lake: its lake, which keeps what was told.
        link: where the report is; None: it has no page.
        targets: addresses that take a POST of JSON, and Prefect blocks as ``type/name``, like ``slack-webhook/night-desk``.
        level: the lowest severity that is worth a notice.

    Returns:
        Which targets did not take it and why, in words; the next run tells them again.
    """
    grave = SEVERITIES[: SEVERITIES.index(level) + 1]
    told = message(report, link, grave)
    if not targets or told is None:
        return []
    subject = _subject(report, lake, grave)
    return [fault for target in targets if (fault := _once(target, told, subject, report.run.run_id, lake))]


def message(report: Report, link: str | None, grave: Sequence[str]) -> dict[str, Any] | None:
    """The notice: a subject, a text, and the same in numbers, with no name but the studios'; None where nothing is worth one."""
    found = {severity: sum(one.findings for one in report.findings if one.severity == severity) for severity in grave}
    found = {severity: number for severity, number in found.items() if number}
    if not found and not report.untrusted:
        return None
    nights = [f"{one.studio_id} {one.gaming_day}" for one in report.nights]
    shown = ", ".join(nights[:3]) + (f" and {len(nights) - 3} more" if len(nights) > 3 else "")
    incidents = {one.extent: one.incidents for one in report.incident_counts}
    parts = [f"{number:,} {severity}" for severity, number in found.items()]
    lines = [f"{count(sum(found.values()), 'finding')}: {', '.join(parts)}"] if parts else []
    lines += [", ".join(f"{count(number, f'{extent} incident')}" for extent, number in incidents.items())] if incidents else []
    lines += ["These results are not to be trusted; the report says why."] if report.untrusted else []
    lines += [link] if link else []
    return {
        "subject": f"Resettle: {shown}",
        "text": "\n".join(lines),
        "run_id": report.run.run_id,
        "nights": nights,
        "findings": found,
        "incidents": incidents,
        "trusted": not report.untrusted,
        "report": link,
    }


def _subject(report: Report, lake: Path, grave: Sequence[str]) -> str:
    """A digest of the findings and incidents told of: the same as long as they are the same, whichever run found them."""
    with open_run(checked_root(lake), report.run.run_id) as con:
        found = con.execute(
            "SELECT finding_id FROM findings WHERE list_contains($1, severity) UNION ALL SELECT incident_id FROM incidents ORDER BY 1",
            [list(grave)],
        ).fetchall()
    said = [*report.untrusted, *(row[0] for row in found)]
    return hashlib.sha256("\0".join(said).encode()).hexdigest()


def _once(target: str, told: dict[str, Any], subject: str, run_id: str, lake: Path) -> str | None:
    digest = hashlib.sha256(target.encode()).hexdigest()
    # An address may hold a secret, so no more of it is said than what kind of target it is.
    name = "a webhook" if target.startswith(("http://", "https://")) else target
    try:
        given = appended.read(checked_root(lake) / NOTICES, Notice)
        if any((one.target, one.subject) == (digest, subject) for one in given):
            return None
        _give(target, told)
        with writing(lake) as opened:
            before = appended.read(opened.root / NOTICES, Notice)
            appended.add(opened, NOTICES, before, [Notice(datetime.now(UTC), run_id, digest, subject)])
    except LakeError as error:
        return f"what {name} was told cannot be kept, so that it may be told twice: {error}"
    except (OSError, RuntimeError, TypeError, ValueError, HTTPError, NotificationError, ObjectNotFound) as error:
        return f"{name} did not take the notice ({type(error).__name__}); the next run tells it again"
    return None


def _give(target: str, told: dict[str, Any]) -> None:
    block = Webhook(url=SecretStr(target), allow_private_urls=True) if "://" in target else _answer(Block.load(target))
    if isinstance(block, Webhook):
        _answer(block.call(told)).raise_for_status()
    elif isinstance(block, NotificationBlock):
        _answer(block.notify(told["text"], told["subject"]))
    else:
        raise TypeError(f"{target} is no block that notifies")


def _answer(told: Any) -> Any:
    """What a call of Prefect gives, whether or not it is to be waited for."""
    return run_coro_as_sync(told) if inspect.iscoroutine(told) else told
