"""The compressed reader certificate of LOAD CERT and AUTH1 tag 90, and its X.509 form.

The reader sends a few fields; the device rebuilds the full to-be-signed body and
checks the signature over that. So every octet that is not sent has to be agreed,
which is what this file pins down.
"""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Optional

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from . import crypto, tlv

PROFILE = b"\x00\x00"
ECDSA_SHA256 = bytes.fromhex("06082A8648CE3D040302")
EC_PUBLIC_KEY = bytes.fromhex("06072A8648CE3D0201")
PRIME256V1 = bytes.fromhex("06082A8648CE3D030107")
COMMON_NAME = bytes.fromhex("0603550403")
AUTHORITY_KEY_ID = bytes.fromhex("0603551D23")
BASIC_CONSTRAINTS = bytes.fromhex("0603551D13")
KEY_USAGE = bytes.fromhex("0603551D0F")
CRITICAL = bytes.fromhex("0101FF")

DEFAULTS = {
    0x80: b"\x01",
    0x81: b"issuer",
    0x82: b"200101000000Z",
    0x83: b"490101000000Z",
    0x84: b"subject",
}


class CertificateError(ValueError):
    """The compressed certificate does not decode, or does not verify."""


def utc_time(moment: datetime) -> bytes:
    return moment.astimezone(timezone.utc).strftime("%y%m%d%H%M%SZ").encode()


def _moment(text: bytes) -> datetime:
    # UTCTime by RFC 5280: two-digit years 50-99 belong to the last century.
    try:
        parsed = datetime.strptime(text.decode("ascii"), "%y%m%d%H%M%SZ")
    except ValueError as error:
        raise CertificateError(f"{text!r} is not YYMMDDhhmmssZ") from error
    year = int(text[:2])
    return parsed.replace(year=year + (1900 if year >= 50 else 2000), tzinfo=timezone.utc)


@dataclass(frozen=True)
class ReaderCertificate:
    """Field values as sent, defaults filled in; the signature is the bare DER."""

    public_key: bytes
    signature: bytes = b""
    serial: bytes = field(default=DEFAULTS[0x80])
    issuer: bytes = field(default=DEFAULTS[0x81])
    not_before: bytes = field(default=DEFAULTS[0x82])
    not_after: bytes = field(default=DEFAULTS[0x83])
    subject: bytes = field(default=DEFAULTS[0x84])

    def compressed(self) -> bytes:
        return encode_compressed([
            (0x80, self.serial), (0x81, self.issuer), (0x82, self.not_before),
            (0x83, self.not_after), (0x84, self.subject),
            (0x85, b"\x00" + self.public_key), (0x86, b"\x00" + self.signature)])

    def tbs(self, issuer_point: bytes) -> bytes:
        """The X.509 v3 body, DER."""
        serial = (b"\x00" if self.serial[0] & 0x80 else b"") + self.serial
        key = _sequence(_sequence(EC_PUBLIC_KEY, PRIME256V1),
                        tlv.encode(0x03, b"\x00" + self.public_key))
        return _sequence(
            tlv.encode(0xA0, bytes.fromhex("020102")),
            tlv.encode(0x02, serial),
            _sequence(ECDSA_SHA256),
            _name(self.issuer),
            _sequence(tlv.encode(0x17, self.not_before), tlv.encode(0x17, self.not_after)),
            _name(self.subject),
            key,
            tlv.encode(0xA3, _extensions(issuer_point)))

    def x509(self, issuer_point: bytes) -> bytes:
        return _sequence(self.tbs(issuer_point), _sequence(ECDSA_SHA256),
                         tlv.encode(0x03, b"\x00" + self.signature))

    def verify(self, issuer_point: bytes, now: Optional[datetime] = None) -> None:
        """Signature by the issuer, and the dates when `now` is given."""
        try:
            crypto.verify_der(issuer_point, self.tbs(issuer_point), self.signature)
        except crypto.CryptoError as error:
            raise CertificateError(f"issuer signature: {error}") from error
        if now is not None and not _moment(self.not_before) <= now <= _moment(self.not_after):
            raise CertificateError("the certificate is outside its dates")

    def signed_by(self, issuer_key: crypto.PrivateKey) -> "ReaderCertificate":
        body = self.tbs(crypto.point_of(issuer_key))
        algorithm = ec.ECDSA(hashes.SHA256())
        return replace(self, signature=issuer_key.sign(body, algorithm))


def encode_compressed(fields, profile: bytes = PROFILE, keep_defaults: bool = False) -> bytes:
    """Raw encoder; tests use it directly to write what a good certificate never holds."""
    sent = [(tag, value) for tag, value in fields
            if keep_defaults or DEFAULTS.get(tag) != value]
    return tlv.encode(0x30, tlv.encode(0x04, profile) + tlv.encode(0x30, tlv.encode_all(sent)))


def parse(compressed: bytes) -> ReaderCertificate:
    """Strict decoder: ascending fields, limits, no written-out default, nothing behind."""
    try:
        outer = tlv.decode_single(compressed, 0x30)
        parts = tlv.decode_layout(outer, [tlv.Field(0x04, 2), tlv.Field(0x30, None)])
        found = tlv.decode_layout(parts[0x30], [
            *(tlv.Field(tag, None, required=False) for tag in DEFAULTS),
            tlv.Field(0x85, 66), tlv.Field(0x86, None)])
    except tlv.TLVError as error:
        raise CertificateError(str(error)) from error
    if parts[0x04] != PROFILE:
        raise CertificateError("the profile is not 0000")
    _check_fields(found)
    value = {tag: found.get(tag, default) for tag, default in DEFAULTS.items()}
    return ReaderCertificate(
        public_key=found[0x85][1:], signature=found[0x86][1:], serial=value[0x80],
        issuer=value[0x81], not_before=value[0x82], not_after=value[0x83],
        subject=value[0x84])


def _check_fields(found: dict) -> None:
    for tag, default in DEFAULTS.items():
        if found.get(tag) == default:
            raise CertificateError(f"field {tag:02X} writes out its default")
    for tag, limit in ((0x80, 20), (0x81, 32), (0x84, 32), (0x86, 73)):
        if tag in found and not 1 <= len(found[tag]) <= limit:
            raise CertificateError(f"field {tag:02X} has {len(found[tag])} octets")
    serial = found.get(0x80, b"\x01")
    if len(serial) > 1 and serial[0] == 0:
        raise CertificateError("the serial has a leading zero octet")
    for tag in (0x82, 0x83):
        if tag in found:
            if len(found[tag]) != 13:
                raise CertificateError(f"field {tag:02X} is not 13 characters")
            _moment(found[tag])
    for tag in (0x81, 0x84):
        _check_text(found.get(tag, b"x"))
    if found[0x85][0] != 0 or found[0x86][0] != 0:
        raise CertificateError("a BIT STRING content starts with 00")
    try:
        crypto.load_point(found[0x85][1:])
    except crypto.CryptoError as error:
        raise CertificateError(str(error)) from error


def _check_text(value: bytes) -> None:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CertificateError("a name is not UTF-8") from error


def issue(issuer_key: crypto.PrivateKey, reader_point: bytes, **fields) -> ReaderCertificate:
    """A certificate for `reader_point`, signed by the reader CA; `fields` as in the class."""
    return ReaderCertificate(public_key=reader_point, **fields).signed_by(issuer_key)


def _sequence(*parts: bytes) -> bytes:
    return tlv.encode(0x30, b"".join(parts))


def _name(common_name: bytes) -> bytes:
    attribute = _sequence(COMMON_NAME, tlv.encode(0x0C, common_name))
    return _sequence(tlv.encode(0x31, attribute))


def _extensions(issuer_point: bytes) -> bytes:
    identifier = hashlib.sha1(issuer_point).digest()
    authority = _sequence(tlv.encode(0x80, identifier))
    return _sequence(
        _sequence(AUTHORITY_KEY_ID, tlv.encode(0x04, authority)),
        _sequence(BASIC_CONSTRAINTS, CRITICAL, tlv.encode(0x04, _sequence())),
        _sequence(KEY_USAGE, CRITICAL, tlv.encode(0x04, bytes.fromhex("03020780"))))
