"""The `pass` parameter of `pass.store`: the documents, and the reader groups they are for."""

import base64
from datetime import datetime, timedelta, timezone
from typing import Iterable, Optional

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from . import crypto

ISSUER_NAME = "issuer"   # the default issuer name of compressed reader certificates


def ca_certificate(key: crypto.PrivateKey, name: str = ISSUER_NAME,
                   days: int = 3650) -> bytes:
    """A self-signed CA certificate, DER, for the reader CA of a pass."""
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(timezone.utc).replace(microsecond=0)
    usage = x509.KeyUsage(
        digital_signature=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
        encipher_only=False, decipher_only=False)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
                       critical=False)
        .sign(key, hashes.SHA256()))
    return certificate.public_bytes(serialization.Encoding.DER)


def base64_text(octets: bytes) -> str:
    return base64.b64encode(octets).decode()


def group_trust(group_identifier: bytes, trusted_key: crypto.PrivateKey,
                resolving_key: Optional[bytes] = None) -> dict:
    """One `reader_groups` entry.

    The record has the same shape whether readers sign with this key themselves or
    with a key that this one has certified.
    """
    resolving = {} if resolving_key is None else {"group_resolving_key": base64_text(resolving_key)}
    return {
        "reader_group_id": base64_text(group_identifier),
        "issuer_ca_public_key": base64_text(crypto.point_of(trusted_key)),
        "issuer_ca_certificate_der": base64_text(ca_certificate(trusted_key)), **resolving}


def unlock_pass(document: bytes, groups: Iterable[dict], revocation: Optional[bytes] = None,
                issuer_point: Optional[bytes] = None, mailbox: Optional[dict] = None) -> dict:
    """`mailbox` is `{size, readable, writable, step_up}`. What is None is left out."""
    optional = {
        "revocation_document": None if revocation is None else base64_text(revocation),
        "credential_issuer_public_key": (
            None if issuer_point is None else base64_text(issuer_point)),
        "mailbox": mailbox}
    return {"access_document": base64_text(document), "reader_groups": list(groups),
            **{name: value for name, value in optional.items() if value is not None}}
