from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from pipeline.core.errors import InputError, LakeError
from pipeline.lake import appended, remedies, verify, writing
from pipeline.lake.finding_life import FollowUp
from pipeline.lake.layout import FOLLOW_UPS
from pipeline.lake.signature import read_private_key, read_public_key, sign
from tests.support.lake import DAY, publish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD, NEW = "a" * 32, "b" * 32


def key_files(folder: Path, name: str = "key", kind: type[Ed25519PrivateKey | X25519PrivateKey] = Ed25519PrivateKey) -> tuple[Path, Path]:
    key = kind.generate()
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    private.touch(0o600)
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return private, public


def sign_now(lake: Path, private: Path) -> None:
    with writing(lake) as opened:
        assert opened.state is not None
        sign(opened.root, opened.state, read_private_key(private))


@pytest.fixture
def signed(lake: Path, tmp_path: Path) -> tuple[Path, str]:
    """A lake with two publishes, each signed, and the key."""
    private, public = key_files(tmp_path)
    for run_id in (OLD, NEW):
        publish(lake, run_id)
        sign_now(lake, private)
    return lake, read_public_key(public)


def edit(path: Path, **told: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **told}))


def test_a_signed_lake_is_told_by_its_public_key(signed: tuple[Path, str], tmp_path: Path) -> None:
    lake, key = signed
    assert verify(lake, signer=key).signed_by == verify(lake).signed_by == key
    other = read_public_key(key_files(tmp_path, "other")[1])
    with pytest.raises(LakeError, match=f"publish 2 is signed by another key, {key}"):
        verify(lake, signer=other)
    publish(lake, "c" * 32, rows=4)
    assert verify(lake).signed_by is None
    with pytest.raises(LakeError, match="publish 3 is not signed"):
        verify(lake, signer=key)


def test_the_same_is_signed_in_the_same_bytes(signed: tuple[Path, str], tmp_path: Path) -> None:
    lake, _ = signed
    path = lake / "signatures" / f"000002-{NEW}.json"
    before = path.read_bytes()
    sign_now(lake, tmp_path / "key.pem")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (lambda path, _: edit(path, number=1), "is no valid signature"),
        (lambda path, _: edit(path, run_sha256="0" * 64), "is no valid signature"),
        (lambda path, _: edit(path, signature="00" * 64), "is no valid signature"),
        (lambda path, _: edit(path, signature="x"), "is no valid signature"),
        (lambda path, _: edit(path, public_key="00"), "is no valid signature"),
        (lambda path, _: path.write_bytes(b"\xff"), "is no valid signature"),
        (lambda path, other: path.write_bytes(other), "is the signature of another lake"),
    ],
)
def test_a_forged_signature_is_named(forge: Callable[[Path, bytes], None], said: str, signed: tuple[Path, str], tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    publish(elsewhere, OLD, rows=7)
    publish(elsewhere, NEW, rows=8)
    sign_now(elsewhere, tmp_path / "key.pem")
    name = f"signatures/000002-{NEW}.json"
    forge(signed[0] / name, (elsewhere / name).read_bytes())
    with pytest.raises(LakeError, match=rf"{NEW}.json: {said}"):
        verify(signed[0])


def test_a_lake_cut_back_with_its_signatures_left_is_named(signed: tuple[Path, str], tmp_path: Path) -> None:
    lake, _ = signed
    shorter = tmp_path / "shorter"
    publish(shorter, OLD)
    (shorter / "signatures").mkdir()
    (lake / "signatures" / f"000002-{NEW}.json").rename(shorter / "signatures" / f"000002-{NEW}.json")
    with pytest.raises(LakeError, match=r"does not know the publish signatures/000002"):
        verify(shorter)


def test_a_follow_up_taken_out_after_it_was_signed_is_named(lake: Path, tmp_path: Path) -> None:
    publish(lake, OLD)
    said = [FollowUp(1, RECORDED[0], "ana", "f" * 16, "close", "payout_mismatch", "studio-7", DAY, 1)]
    with writing(lake) as opened:
        appended.add(opened, FOLLOW_UPS, [], said)
        opened.show(anew=True)
    sign_now(lake, key_files(tmp_path)[0])
    assert verify(lake).signed_by
    (lake / FOLLOW_UPS).write_bytes(b"")
    with pytest.raises(LakeError, match="something was taken out of this one"):
        verify(lake)


def test_a_remedy_taken_out_after_it_was_signed_is_named(lake: Path, tmp_path: Path) -> None:
    publish(lake, OLD)
    (lake / "remedies").mkdir()
    last = None
    for number in range(2):
        one = remedies.Remedy(*RECORDED, f"txn-{number}", "5.00", "USD", previous=last)
        with (lake / "remedies/remedies.ndjson").open("ab") as file:
            file.write(msgspec.json.encode(one) + b"\n")
        last = appended.digests(remedies.read(lake))[-1]
    with writing(lake) as opened:
        opened.show(anew=True)
    sign_now(lake, key_files(tmp_path)[0])
    assert verify(lake, head=last).signed_by
    path = lake / "remedies/remedies.ndjson"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(LakeError, match="something was taken out of this one"):
        verify(lake)


RECORDED = (remedies.datetime(2026, 11, 5, tzinfo=remedies.UTC), "ana", "f" * 16, "op-1", "p1")


def test_keys_that_are_none_are_refused_in_words(tmp_path: Path) -> None:
    private, public = key_files(tmp_path)
    other_private, other_public = key_files(tmp_path, "x", X25519PrivateKey)
    for path, said in ((tmp_path / "no", "cannot be read"), (public, "is no private key in PEM"), (other_private, "is no Ed25519 key")):
        path.exists() and path.chmod(0o600)
        with pytest.raises(InputError, match=said):
            read_private_key(path)
    for path, said in ((tmp_path / "no", "cannot be read"), (private, "is no public key in PEM"), (other_public, "is no Ed25519 key")):
        with pytest.raises(InputError, match=said):
            read_public_key(path)
    private.chmod(0o644)
    with pytest.raises(InputError, match=r"others may read this private key \(chmod 600"):
        read_private_key(private)
