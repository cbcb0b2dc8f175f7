"""Ed25519 signatures over a lake's heads: who holds the public key can tell that a lake is what the holder of the private key published.

A signature covers the head of the run records, and so every manifest, file and record before it, and the
remedies and findings' histories recorded until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from pipeline.core.errors import InputError, LakeError
from pipeline.lake import appended, finding_life, remedies
from pipeline.lake.layout import SIGNATURES, signature_file
from pipeline.lake.working_copy import write_beside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pipeline.lake.manifest import State

SIGNATURE_SCHEMA: Final = "resettle-signature/1"
_MAKE: Final = "make one with: openssl genpkey -algorithm ed25519 -out KEY"
_RESTORE: Final = "restore it from a copy"


class Signature(msgspec.Struct, frozen=True):
    """A signed head.

    Attributes:
        number: the publish that was current.
        run_sha256: the head of the run records then.
        remedies: how many remedies were recorded then.
        remedies_sha256: digest of the last of them; null where there was none.
        follow_ups: how many lines of findings' histories were recorded then.
        follow_ups_sha256: digest of the last of them; null where there was none.
        public_key: of who signed, 32 bytes in hexadecimal.
        signature: over all of the above but the key, 64 bytes in hexadecimal.
    """

    number: int
    run_sha256: str
    remedies: int
    remedies_sha256: str | None
    follow_ups: int
    follow_ups_sha256: str | None
    public_key: str
    signature: str
    schema: str = SIGNATURE_SCHEMA

    @property
    def signed(self) -> bytes:
        """The bytes that the signature is over."""
        covered = (self.schema, self.number, self.run_sha256, self.remedies, self.remedies_sha256, self.follow_ups, self.follow_ups_sha256)
        return "\n".join(map(str, covered)).encode()


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """The key to sign with, from a PEM file (PKCS 8, not encrypted).

    Raises:
        InputError: it cannot be read, is no Ed25519 key, or others may read it.
    """
    if path.is_file() and path.stat().st_mode & 0o007:
        raise InputError("others may read this private key", str(path), f"chmod 600 {path}")
    try:
        key = load_pem_private_key(_bytes(path), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise InputError("is no private key in PEM, or an encrypted one", str(path), _MAKE) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError("is no Ed25519 key", str(path), _MAKE)
    return key


def read_public_key(path: Path) -> str:
    """The public key of a PEM file, 32 bytes in hexadecimal.

    Raises:
        InputError: it cannot be read, or is no Ed25519 key.
    """
    way_out = "make it of the private one with: openssl pkey -in KEY -pubout"
    try:
        key = load_pem_public_key(_bytes(path))
    except (ValueError, UnsupportedAlgorithm):
        raise InputError("is no public key in PEM", str(path), way_out) from None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError("is no Ed25519 key", str(path), way_out)
    return key.public_bytes_raw().hex()


def sign(root: Path, state: State, key: Ed25519PrivateKey) -> Signature:
    """Signs what is current; signing the same again with the same key changes nothing. The caller alone writes to the lake."""
    paid_back, histories = _recorded(root)
    told = Signature(
        number=state.number, run_sha256=state.run_sha256, remedies=len(paid_back), remedies_sha256=_at(paid_back, len(paid_back)),
        follow_ups=len(histories), follow_ups_sha256=_at(histories, len(histories)),
        public_key=key.public_key().public_bytes_raw().hex(), signature="",
    )  # fmt: skip
    made = msgspec.structs.replace(told, signature=key.sign(told.signed).hex())
    content = msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n"
    write_beside(root, signature_file(state.number, state.run_id), content)
    return made


def check(root: Path, state: State, heads: Mapping[int, str]) -> Signature | None:
    """Sees that every signature in the lake is valid and fits it.

    Args:
        root: the lake.
        state: what is current.
        heads: the head of the run records after each publish.

    Returns:
        The signature of what is current; None where it is not signed.

    Raises:
        LakeError: names the first one that does not fit.
    """
    paid_back, histories = _recorded(root)
    current = None
    for path in sorted((root / SIGNATURES).glob("*")):
        try:
            one = msgspec.json.decode(path.read_bytes(), type=Signature)
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(one.public_key)).verify(bytes.fromhex(one.signature), one.signed)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError, InvalidSignature):
            raise LakeError("is no valid signature", str(path), _RESTORE) from None
        there = (heads.get(one.number), _at(paid_back, one.remedies), _at(histories, one.follow_ups))
        if there != (one.run_sha256, one.remedies_sha256, one.follow_ups_sha256):
            raise LakeError("is the signature of another lake, or something was taken out of this one", str(path), _RESTORE)
        if one.number == state.number:
            current = one
    return current


def _recorded(root: Path) -> tuple[list[str], list[str]]:
    return appended.digests(remedies.read(root)), appended.digests(finding_life.read(root))


def _at(digests: Sequence[str], count: int) -> str | None:
    """The digest that stands for the first so many lines; null where there are none, or fewer."""
    return digests[count - 1] if 0 < count <= len(digests) else None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", str(path), _MAKE) from None
