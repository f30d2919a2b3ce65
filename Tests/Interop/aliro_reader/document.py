"""What the credential issuer makes: Access and Revocation Documents, and how to check them.

Maps are written in the order of the protocol notes; the octets are signed and
digested, so order and tags are part of the format.
"""

import hashlib
from datetime import datetime, timezone
from typing import Dict, Optional

import cbor2
from . import crypto

ACCESS, REVOCATION = "aliro-a", "aliro-r"
PROTECTED = bytes.fromhex("A10126")


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


def security_object(doc_type: str, credential: Optional[bytes], digests: dict, times: list,
                    iteration: Optional[int]) -> bytes:
    """`credential` is the device key of an Access Document, None in a Revocation Document."""
    # cbor2 would turn tag 0 into its own text form of a datetime, so give it the tag.
    validity = {str(place): cbor2.CBORTag(0, time_text(moment))
                for place, moment in enumerate(times, 1)}
    if iteration is not None:
        validity["5"] = iteration
    key = {} if credential is None else {"4": {"1": cose_key(credential)}}
    return cbor2.dumps({"1": "1.0", "2": "SHA-256", "3": {doc_type: digests}, **key,
                        "5": doc_type, "6": validity, "7": True})


def signature_input(payload: bytes) -> bytes:
    return cbor2.dumps(["Signature1", PROTECTED, b"", payload])


def issue(doc_type: str, issuer_key: crypto.PrivateKey, elements: Dict[str, object],
          times: list, credential: Optional[bytes] = None, random: Optional[bytes] = None,
          iteration: Optional[int] = 1, deterministic: bool = False) -> bytes:
    """A signed document; digest identifiers count from 1 in the order of `elements`."""
    items = [signed_item(number, random or crypto.random_octets(16), name, value)
             for number, (name, value) in enumerate(elements.items(), 1)]
    digests = {number: item_digest(item) for number, item in enumerate(items, 1)}
    payload = cbor2.dumps(cbor2.CBORTag(
        24, security_object(doc_type, credential, digests, times, iteration)))
    signature = crypto.sign_raw(issuer_key, signature_input(payload), deterministic)
    unprotected = {4: issuer_kid(crypto.point_of(issuer_key))}
    issuer_signed = {"1": {doc_type: [cbor2.CBORTag(24, item) for item in items]},
                     "2": [PROTECTED, unprotected, payload, signature]}
    return cbor2.dumps({"1": issuer_signed, "5": doc_type})


def issue_access_document(
        credential: bytes, issuer_key: crypto.PrivateKey, valid_from: datetime,
        valid_until: datetime, signed: Optional[datetime] = None,
        elements: Optional[Dict[str, object]] = None, **options) -> bytes:
    """A signed Access Document naming `credential` (65-octet point)."""
    return issue(ACCESS, issuer_key, elements or {"floor1": simple_element()},
                 [signed or valid_from, valid_from, valid_until], credential, **options)


def issue_revocation_document(
        issuer_key: crypto.PrivateKey, valid_from: datetime, valid_until: datetime,
        signed: Optional[datetime] = None, entries: Optional[list] = None,
        **options) -> bytes:
    """A signed Revocation Document that replaces the reader's list by `entries`."""
    element = {0: 0, 1: 0, 2: entries or [{1: b"former-user"}]}
    return issue(REVOCATION, issuer_key, {"revoked": element},
                 [signed or valid_from, valid_from, valid_until], **options)


def check_access_document(document: bytes, issuer_point: bytes, credential: bytes) -> dict:
    """Signature, digests and device key; returns the security object."""
    return _check_encoded(document, ACCESS, issuer_point, credential)


def check_revocation_document(document: bytes, issuer_point: bytes) -> dict:
    return _check_encoded(document, REVOCATION, issuer_point, None)


def _check_encoded(document: bytes, doc_type: str, issuer_point: bytes,
                   credential: Optional[bytes]) -> dict:
    try:
        decoded = cbor2.loads(document)
    except (ValueError, cbor2.CBORDecodeError) as error:
        raise DocumentError(f"not CBOR: {error}") from error
    return check_document(decoded, doc_type, issuer_point, credential)


def check_document(decoded, doc_type: str, issuer_point: bytes,
                   credential: Optional[bytes]) -> dict:
    """A decoded document: all that a door controller checks before it believes one."""
    try:
        issuer_signed = decoded["1"]
        protected, unprotected, payload, signature = issuer_signed["2"]
        mso = cbor2.loads(cbor2.loads(payload).value)
        items = issuer_signed["1"][doc_type]
        digests = mso["3"][doc_type]
        device_key = mso.get("4", {}).get("1")
        kid = unprotected.get(4)
    except (KeyError, TypeError, ValueError, AttributeError, cbor2.CBORDecodeError) as error:
        raise DocumentError(f"the structure is wrong: {error}") from error
    if protected != PROTECTED or decoded["5"] != doc_type or mso["5"] != doc_type:
        raise DocumentError("wrong algorithm or document type")
    if kid != issuer_kid(issuer_point):
        raise DocumentError("the document names another issuer key")
    try:
        crypto.verify_raw(issuer_point, signature_input(payload), signature)
    except crypto.CryptoError as error:
        raise DocumentError(f"issuer signature: {error}") from error
    for item in items:
        digest_id = cbor2.loads(item.value)["1"]
        if digests.get(digest_id) != item_digest(item.value):
            raise DocumentError(f"digest {digest_id} does not match its item")
    if device_key != (None if credential is None else cose_key(credential)):
        raise DocumentError("the document names another credential key")
    return mso
