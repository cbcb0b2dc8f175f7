from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path


def test_a_lake_is_signed_by_the_audit_or_afterwards_and_verified_by_the_public_key(
    sample: Path, first_rounds: Path, tmp_path: Path
) -> None:
    key, public, lake = tmp_path / "key.pem", tmp_path / "key.pub", tmp_path / "lake"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)  # noqa: S603, S607
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True, capture_output=True)  # noqa: S603, S607
    key.chmod(0o600)
    audit = ("audit", first_rounds, "--filings", sample / "filings", "--lake", lake)
    assert resettle(*audit, "--sign", public).exit_code == 2
    assert not lake.exists()
    assert resettle(*audit).exit_code == 1
    assert "not signed" in resettle("verify", "--lake", lake, "--signed-by", public).stderr
    assert resettle("lake", "sign", lake, "--key", key).exit_code == 0
    told = resettle("verify", "--lake", lake, "--signed-by", public)
    assert told.exit_code == 0
    assert "signed by " in told.stdout
    for signature in (lake / "signatures").iterdir():
        signature.unlink()
    assert resettle(*audit, "--sign", key).exit_code == 1
    assert resettle("verify", "--lake", lake, "--signed-by", public).exit_code == 0
    assert resettle("lake", "sign", tmp_path / "nowhere", "--key", key).exit_code == 2
