"""What the credential issuer makes: Access Documents and whole unlock passes.

Maps are written in the order of the protocol notes; the octets are signed and
digested, so order and tags are part of the format.
"""

import base64
import hashlib
from datetime import datetime, timedelta, timezone
from typing import Iterable, Optional

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID

from . import crypto

ACCESS = "aliro-a"
PROTECTED = bytes.fromhex("A10126")
ISSUER_NAME = "issuer"   # the default issuer name of compressed reader certificates


class DocumentError(ValueError):
    """An Access Document does not hold together."""


def time_text(moment: datetime) -> str:
    """`YYYY-MM-DDTHH:MM:SSZ`, the 20 characters that AUTH1 reports."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def issuer_kid(issuer_point: bytes) -> bytes:
    return hashlib.sha256(b"key-identifier" + issuer_point).digest()[:8]


def simple_element(identifier: bytes = b"latchkey-test") -> dict:
    """An access data element that allows securing and unsecuring at any time."""
    return {0: 0, 1: identifier, 2: [{0: 0x03}]}


def signed_item(digest_id: int, random: bytes, element_id: str, element) -> bytes:
    return cbor2.dumps({"1": digest_id, "2": random, "3": element_id, "4": element})


def item_digest(item: bytes) -> bytes:
    """Over the tagged byte string, tag included."""
    return hashlib.sha256(cbor2.dumps(cbor2.CBORTag(24, item))).digest()


def cose_key(point: bytes) -> dict:
    return {1: 2, -1: 1, -2: point[1:33], -3: point[33:]}


def security_object(credential: bytes, digests: dict, signed: str, valid_from: str,
                    valid_until: str, iteration: Optional[int]) -> bytes:
    def text(value: str):
        return cbor2.CBORTag(0, value)

    # cbor2 would turn tag 0 into its own text form of a datetime, so give it the tag.
    validity = {"1": text(signed), "2": text(valid_from), "3": text(valid_until)}
    if iteration is not None:
        validity["5"] = iteration
    return cbor2.dumps({
        "1": "1.0", "2": "SHA-256", "3": {ACCESS: digests}, "4": {"1": cose_key(credential)},
        "5": ACCESS, "6": validity, "7": True})


def signature_input(payload: bytes) -> bytes:
    return cbor2.dumps(["Signature1", PROTECTED, b"", payload])


def issue_access_document(
        credential: bytes, issuer_key: crypto.PrivateKey, valid_from: datetime,
        valid_until: datetime, signed: Optional[datetime] = None, digest_id: int = 1,
        random: Optional[bytes] = None, element_id: str = "floor1", element=None,
        iteration: Optional[int] = 1, deterministic: bool = False) -> bytes:
    """A signed Access Document naming `credential` (65-octet point)."""
    item = signed_item(digest_id, random or crypto.random_octets(16), element_id,
                       simple_element() if element is None else element)
    mso = security_object(
        credential, {digest_id: item_digest(item)}, time_text(signed or valid_from),
        time_text(valid_from), time_text(valid_until), iteration)
    payload = cbor2.dumps(cbor2.CBORTag(24, mso))
    signature = crypto.sign_raw(issuer_key, signature_input(payload), deterministic)
    unprotected = {4: issuer_kid(crypto.point_of(issuer_key))}
    issuer_signed = {
        "1": {ACCESS: [cbor2.CBORTag(24, item)]},
        "2": [PROTECTED, unprotected, payload, signature]}
    return cbor2.dumps({"1": issuer_signed, "5": ACCESS})


def check_access_document(document: bytes, issuer_point: bytes, credential: bytes) -> dict:
    """Signature, digests and device key; returns the security object."""
    try:
        decoded = cbor2.loads(document)
        issuer_signed = decoded["1"]
        protected, _, payload, signature = issuer_signed["2"]
        mso = cbor2.loads(cbor2.loads(payload).value)
        items = issuer_signed["1"][ACCESS]
        digests = mso["3"][ACCESS]
        device_key = mso["4"]["1"]
    except (KeyError, TypeError, ValueError, AttributeError, cbor2.CBORDecodeError) as error:
        raise DocumentError(f"the structure is wrong: {error}") from error
    if protected != PROTECTED or decoded["5"] != ACCESS or mso["5"] != ACCESS:
        raise DocumentError("wrong algorithm or document type")
    try:
        crypto.verify_raw(issuer_point, signature_input(payload), signature)
    except crypto.CryptoError as error:
        raise DocumentError(f"issuer signature: {error}") from error
    for item in items:
        digest_id = cbor2.loads(item.value)["1"]
        if digests.get(digest_id) != item_digest(item.value):
            raise DocumentError(f"digest {digest_id} does not match its item")
    if device_key != cose_key(credential):
        raise DocumentError("the document names another credential key")
    return mso


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


def group_trust(group_identifier: bytes, trusted_key: crypto.PrivateKey) -> dict:
    """One `reader_groups` entry.

    The record has the same shape whether readers sign with this key themselves or
    with a key that this one has certified.
    """
    return {
        "reader_group_id": base64_text(group_identifier),
        "issuer_ca_public_key": base64_text(crypto.point_of(trusted_key)),
        "issuer_ca_certificate_der": base64_text(ca_certificate(trusted_key))}


def unlock_pass(document: bytes, groups: Iterable[dict]) -> dict:
    """The `pass` parameter of `pass.store`."""
    return {"access_document": base64_text(document), "reader_groups": list(groups)}
