"""What the device's AUTH0 and AUTH1 answers must hold, checked to the octet."""

from typing import NamedTuple, Optional

from . import crypto, exchange, tlv

# The signaling bitmap; bits that are not named here stand for what the vault does not do.
ACCESS_DOCUMENT, REVOCATION_DOCUMENT, STEP_UP_SELECTS = 0x0001, 0x0002, 0x0004
MAILBOX_USED, MAILBOX_READABLE, MAILBOX_WRITABLE = 0x0008, 0x0010, 0x0020
MAILBOX_IN_STEP_UP = 0x0400
NO_TIME = bytes(20)


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
    mailbox: Optional[exchange.Mailbox] = None
    over_nfc: bool = False

    def bitmap(self) -> int:
        """Everything the vault's bitmap may say is known: nothing else may be set."""
        bits = ACCESS_DOCUMENT if self.signed_time else 0
        bits |= REVOCATION_DOCUMENT if self.revocation_time else 0
        if bits and self.over_nfc:
            bits |= STEP_UP_SELECTS
        if self.mailbox is not None:
            for set_, bit in ((any(self.mailbox.contents), MAILBOX_USED),
                              (self.mailbox.readable, MAILBOX_READABLE),
                              (self.mailbox.writable, MAILBOX_WRITABLE),
                              (self.mailbox.in_step_up, MAILBOX_IN_STEP_UP)):
                bits |= bit if set_ else 0
        return bits


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
    """Raises unless layout, identity, signature, bitmap and times are all right.

    Tag 4B, mailbox data, is optional in the notes; a vault that shows its mailbox only when
    asked does not send it, so it is refused like any other unknown tag.
    """
    by_key = expected.identification == "key"
    found = tlv.decode_layout(plaintext, [
        tlv.Field(0x5A, 65) if by_key else tlv.Field(0x4E, 8),
        tlv.Field(0x9E, 64), tlv.Field(0x5E, 2),
        tlv.Field(0x91, 20, required=False), tlv.Field(0x92, 20, required=False)])
    if by_key and found[0x5A] != expected.credential:
        raise AnswerError("the credential public key is not the expected one")
    if not by_key and found[0x4E] != crypto.key_slot(expected.credential):
        raise AnswerError("the key slot is not that of the expected credential")
    crypto.verify_raw(
        expected.credential, transaction.transcript(crypto.DEVICE_USAGE), found[0x9E])
    _check_bitmap(found[0x5E], expected)
    _check_time(found.get(0x91), expected.signed_time, "Access Document")
    _check_time(found.get(0x92), expected.revocation_time, "Revocation Document")


def check_cryptogram(plaintext: bytes, expected: Expected) -> None:
    """The same facts as AUTH1 reports; a time that is absent is written as zeros."""
    found = tlv.decode_layout(plaintext, [
        tlv.Field(0x5E, 2), tlv.Field(0x91, 20), tlv.Field(0x92, 20)])
    _check_bitmap(found[0x5E], expected)
    for tag, time, name in ((0x91, expected.signed_time, "Access Document"),
                            (0x92, expected.revocation_time, "Revocation Document")):
        _check_time(None if found[tag] == NO_TIME else found[tag], time, name)


def _check_bitmap(shown: bytes, expected: Expected) -> None:
    if shown != expected.bitmap().to_bytes(2, "big"):
        raise AnswerError(f"the bitmap is {shown.hex()}, expected {expected.bitmap():04x}")


def _check_time(shown: Optional[bytes], expected: Optional[str], name: str) -> None:
    if shown != (expected.encode() if expected else None):
        text = shown.decode("ascii", "replace") if shown else "none"
        raise AnswerError(f"{name} time is {text}, expected {expected or 'none'}")
