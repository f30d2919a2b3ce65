"""What the device's AUTH0 and AUTH1 answers must hold, checked to the octet."""

from typing import NamedTuple, Optional

from . import crypto, tlv

# Bits that no device may set: 8 is unused, 13-15 are zero.
RESERVED_BITS = 0xE100
ACCESS_DOCUMENT, REVOCATION_DOCUMENT = 0x0001, 0x0002


class AnswerError(ValueError):
    """An answer decodes but says something wrong."""


class Auth0Answer(NamedTuple):
    device_ephemeral: bytes
    cryptogram: bytes
    extension: bytes     # whole B2 TLV


class Expected(NamedTuple):
    credential: bytes
    identification: str
    signed_time: Optional[str]
    revocation_time: Optional[str]


def parse_auth0(data: bytes, fast: bool) -> Auth0Answer:
    layout = [tlv.Field(0x86, 65)]
    if fast:
        # Always 64 octets, keyed or not, so that nothing shows which.
        layout.append(tlv.Field(0x9D, 64))
    layout.append(tlv.Field(0xB2, None, required=False))
    found = tlv.decode_layout(data, layout)
    crypto.load_point(found[0x86])
    extension = tlv.encode(0xB2, found[0xB2]) if 0xB2 in found else b""
    return Auth0Answer(found[0x86], found.get(0x9D, b""), extension)


def check_auth1(plaintext: bytes, transaction: crypto.Transaction, expected: Expected) -> None:
    """Raises unless layout, identity, signature, bitmap and times are all right."""
    by_key = expected.identification == "key"
    found = tlv.decode_layout(plaintext, [
        tlv.Field(0x5A, 65) if by_key else tlv.Field(0x4E, 8),
        tlv.Field(0x9E, 64), tlv.Field(0x4B, None, required=False), tlv.Field(0x5E, 2),
        tlv.Field(0x91, 20, required=False), tlv.Field(0x92, 20, required=False)])
    if by_key and found[0x5A] != expected.credential:
        raise AnswerError("the credential public key is not the expected one")
    if not by_key and found[0x4E] != crypto.key_slot(expected.credential):
        raise AnswerError("the key slot is not that of the expected credential")
    crypto.verify_raw(
        expected.credential, transaction.transcript(crypto.DEVICE_USAGE), found[0x9E])
    _check_bitmap(int.from_bytes(found[0x5E], "big"), found)
    _check_time(found, 0x91, expected.signed_time, "Access Document")
    _check_time(found, 0x92, expected.revocation_time, "Revocation Document")


def _check_bitmap(bitmap: int, found: dict) -> None:
    if bitmap & RESERVED_BITS:
        raise AnswerError(f"bitmap {bitmap:04X} sets a reserved bit")
    for bit, tag in ((ACCESS_DOCUMENT, 0x91), (REVOCATION_DOCUMENT, 0x92)):
        if bool(bitmap & bit) != (tag in found):
            raise AnswerError(f"bitmap {bitmap:04X} disagrees with the presence of tag {tag:02X}")


def _check_time(found: dict, tag: int, expected: Optional[str], name: str) -> None:
    shown = found.get(tag)
    if shown != (expected.encode() if expected else None):
        text = shown.decode("ascii", "replace") if shown else "none"
        raise AnswerError(f"{name} time is {text}, expected {expected or 'none'}")
